-- Revocations that a person asked for, each one call, and corrections: a revocation with the data of the credential that takes its place.

CREATE TABLE revocation (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment    text NOT NULL,
  credential_id  text NOT NULL,
  issuance_id    bigint REFERENCES issuance,   -- null for a credential that the ledger does not know
  by             text NOT NULL,
  why            text NOT NULL DEFAULT '',
  -- wanted: nothing has left. sending is committed before the call. accepted: the service said so. seen: the report shows the date.
  state          text NOT NULL DEFAULT 'wanted'
    CHECK (state IN ('wanted', 'sending', 'unconfirmed', 'accepted', 'refused', 'not_applied', 'seen')),
  correction     jsonb,                        -- recipient and hashes of what takes its place; emptied when that is an issuance
  changed_fields jsonb,                        -- the names of the fields that it changes
  corrected_as   bigint UNIQUE REFERENCES issuance,
  wanted_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  sending_at     timestamptz,
  deadline_at    timestamptz,
  ended_at       timestamptz,
  outcome        text,
  http_status    integer,
  error_code     text,
  words          text,
  looked_at      timestamptz,
  doubt          text,                         -- why a person should look at one that is still open
  due_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at       timestamptz,
  CHECK (correction IS NULL OR issuance_id IS NOT NULL)
);
-- One at a time for a credential, whoever asks.
CREATE UNIQUE INDEX revocation_one_open ON revocation (environment, credential_id)
  WHERE state IN ('wanted', 'sending', 'unconfirmed', 'accepted');
CREATE INDEX revocation_issuance ON revocation (issuance_id);
CREATE TRIGGER revocation_is_kept BEFORE DELETE OR TRUNCATE ON revocation FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The link, from the new credential to the one whose place it takes: each is replaced once.
ALTER TABLE issuance ADD COLUMN corrects bigint UNIQUE REFERENCES issuance;
-- The run of a correction is no list: neither the brake nor the comparison of lists looks at it.
ALTER TABLE run ADD COLUMN corrects bigint REFERENCES issuance;

-- To find the rows with other data that wait for a person, and the credentials that people name.
CREATE INDEX run_row_changed ON run_row (issuance_id) WHERE changed_fields IS NOT NULL;
CREATE INDEX issuance_credential ON issuance (credential_id) WHERE credential_id IS NOT NULL;

CREATE FUNCTION superseded_key(key bytea, issuance bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(convert_to('superseded ' || issuance || ' ', 'UTF8') || key)
$$;

-- An issuance gives its key up in one case: it is revoked, as far as the service has said, and another one is to take its place.
CREATE FUNCTION check_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.issuance_key <> superseded_key(OLD.issuance_key, OLD.id) OR NOT EXISTS (
    SELECT FROM revocation r WHERE r.issuance_id = OLD.id AND r.state IN ('accepted', 'seen') AND r.correction IS NOT NULL)
  THEN
    RAISE EXCEPTION 'an issuance keeps its key for ever, unless it is revoked and corrected' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER issuance_stays ON issuance;
CREATE TRIGGER issuance_stays BEFORE UPDATE OF run_id, environment, course_uuid, corrects ON issuance FOR EACH ROW
  WHEN (OLD.run_id IS DISTINCT FROM NEW.run_id OR OLD.environment IS DISTINCT FROM NEW.environment
     OR OLD.course_uuid IS DISTINCT FROM NEW.course_uuid OR OLD.corrects IS DISTINCT FROM NEW.corrects)
  EXECUTE FUNCTION refuse_move();
CREATE TRIGGER issuance_keeps_key BEFORE UPDATE OF issuance_key ON issuance FOR EACH ROW
  WHEN (OLD.issuance_key IS DISTINCT FROM NEW.issuance_key) EXECUTE FUNCTION check_key();
