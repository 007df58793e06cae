-- Revocations that an operator asked for, and corrections: revocations with what takes the place of the credential. A
-- correction never leaves two valid credentials.

-- A credential that is to be revoked, by one call.
CREATE TABLE revocation (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment    text NOT NULL,
  credential_id  text NOT NULL,
  issuance_id    bigint REFERENCES issuance,   -- null for a credential that the ledger does not know
  by             text NOT NULL,
  why            text NOT NULL DEFAULT '',
  wanted_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- wanted: nothing was sent. sending: claimed, which is committed before the call. accepted: the service said so.
  -- seen: the report shows the date. not_applied: the report proves that it did not happen.
  state          text NOT NULL DEFAULT 'wanted'
    CHECK (state IN ('wanted', 'sending', 'unconfirmed', 'accepted', 'refused', 'not_applied', 'seen')),
  due_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at       timestamptz,
  sending_at     timestamptz,
  deadline_at    timestamptz,
  ended_at       timestamptz,
  outcome        text,                         -- as in attempt
  http_status    integer,
  error_code     text,
  words          text,
  looked_at      timestamptz,                  -- when the report was last read for it
  doubt          text,                         -- why an operator should look at it while it is open

  correction     jsonb,                        -- recipient and hashes of the new one; null once that is an issuance
  changed_fields jsonb,                        -- the names of the fields that it changes
  corrected_as   bigint UNIQUE REFERENCES issuance,  -- the new credential
  -- Who corrects, and why, if somebody else had asked for the revocation before. The instant is when the correction
  -- joined an open revocation; null if it was taken over from one that had failed.
  correction_by  text,
  correction_why text,
  correction_at  timestamptz,
  CHECK (correction IS NULL OR issuance_id IS NOT NULL),
  CONSTRAINT revocation_correction_decided
    CHECK ((correction_by IS NULL) = (correction_why IS NULL) AND (correction_at IS NULL OR correction_by IS NOT NULL))
);
COMMENT ON TABLE revocation IS 'kept as long as the ledger; its personal data until they are forgotten';
COMMENT ON COLUMN revocation.correction IS
  'personal: the recipient of the corrected credential, until that is an issuance. Why: the corrected credential is '
  'issued once the old one is revoked. Forgotten: NULL.';
COMMENT ON COLUMN revocation.words IS
  'personal: what the service wrote (addresses and long numbers are masked, a name may be left). Why: `credsync '
  'explain` shows it. Forgotten: NULL.';
COMMENT ON COLUMN revocation.credential_id IS 'pseudonymous: the id of the credential';
COMMENT ON COLUMN revocation.by IS 'staff: who revoked';
COMMENT ON COLUMN revocation.why IS 'staff: why; an operator wrote it';
COMMENT ON COLUMN revocation.correction_by IS 'staff: who corrected, if another revocation came first';
COMMENT ON COLUMN revocation.correction_why IS 'staff: why; an operator wrote it';
-- One at a time for a credential, whoever asks.
CREATE UNIQUE INDEX revocation_one_open ON revocation (environment, credential_id)
  WHERE state IN ('wanted', 'sending', 'unconfirmed', 'accepted');
CREATE INDEX revocation_of_credential ON revocation (environment, credential_id, id);
CREATE INDEX revocation_issuance ON revocation (issuance_id);
CREATE TRIGGER revocation_is_kept BEFORE DELETE OR TRUNCATE ON revocation
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The claim of a revocation.
ALTER TABLE claim ADD COLUMN revocation_id bigint REFERENCES revocation;

-- The run of a correction is no list: neither the brake nor the comparison of lists looks at it.
ALTER TABLE run ADD COLUMN corrects bigint REFERENCES issuance;

-- The key of an issuance that has given its key up.
CREATE FUNCTION superseded_key(key bytea, issuance bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(convert_to('superseded ' || issuance || ' ', 'UTF8') || key)
$$;

-- An issuance gives its key up if it is revoked, as far as the service has said, and another one is to take its place.
-- (Forgetting, in 0010, adds a second case.)
CREATE FUNCTION check_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.issuance_key <> superseded_key(OLD.issuance_key, OLD.id) OR NOT EXISTS (
    SELECT FROM revocation r
    WHERE r.issuance_id = OLD.id AND r.state IN ('accepted', 'seen') AND r.correction IS NOT NULL)
  THEN
    RAISE EXCEPTION 'an issuance keeps its key for ever, unless it is revoked and corrected'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER issuance_keeps_key BEFORE UPDATE OF issuance_key ON issuance FOR EACH ROW
  WHEN (OLD.issuance_key IS DISTINCT FROM NEW.issuance_key) EXECUTE FUNCTION check_key();
