-- The console: who may sign in, their sessions, and who did what and looked at whom. Times are those of the worker that
-- answered, because they decide what has expired.

-- Somebody who signs in with a password.
CREATE TABLE console_person (
  environment  text NOT NULL,
  name         text NOT NULL,
  role         text NOT NULL CHECK (role IN ('viewer', 'registrar', 'operator')),
  pipelines    text[],                     -- null: all
  password     text,                       -- a scrypt hash; null until the person has set one
  link_hash    bytea UNIQUE,               -- of the link by which it is set; null once that was used
  link_ends_at timestamptz,
  added_at     timestamptz NOT NULL,
  added_by     text NOT NULL,
  PRIMARY KEY (environment, name),
  CHECK ((link_hash IS NULL) = (link_ends_at IS NULL)),
  CHECK (role <> 'registrar' OR pipelines IS NOT NULL)
);
COMMENT ON TABLE console_person IS 'kept until removed';
COMMENT ON COLUMN console_person.name IS 'staff: the name for signing in';
COMMENT ON COLUMN console_person.password IS 'staff: a scrypt hash';
COMMENT ON COLUMN console_person.added_by IS 'staff: who added the person';

-- A session. Only a hash of what the browser shows, so that a copy of the ledger lets nobody in.
CREATE TABLE console_session (
  token_hash  bytea PRIMARY KEY,
  environment text NOT NULL,
  name        text NOT NULL,
  role        text CHECK (role IN ('viewer', 'registrar', 'operator')),  -- null if the role is that of console_person
  pipelines   text[],
  began_at    timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL
);
COMMENT ON TABLE console_session IS 'kept at most 12 hours, and until the next sign-in';
COMMENT ON COLUMN console_session.name IS 'staff: who signed in';
CREATE INDEX console_session_of_person ON console_session (environment, name);

-- What somebody did or looked at. It does not name the people who were looked at: their issuances do, as long as the
-- ledger may.
CREATE TABLE console_act (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  at          timestamptz NOT NULL,
  by          text NOT NULL,
  act         text NOT NULL,
  run_id      uuid,
  issuance_id bigint,
  detail      text
);
COMMENT ON TABLE console_act IS
  'kept as long as the ledger; sign-ins, looks and downloads for console.keepDays, if that is set';
COMMENT ON COLUMN console_act.by IS 'staff: who did it';
CREATE INDEX console_act_recent ON console_act (environment, at DESC);
-- Issuing an uploaded list names the upload in `detail`, in one transaction with its run: each upload is issued once,
-- whoever holds its lock.
CREATE UNIQUE INDEX console_act_of_issued_list ON console_act (detail) WHERE act = 'issued a list';
-- Nobody changes what they did. What was looked at may be deleted after `console.keepDays`, which is a day at least.
CREATE TRIGGER console_act_is_kept BEFORE UPDATE OR TRUNCATE ON console_act
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER console_act_is_kept_for_a_day BEFORE DELETE ON console_act FOR EACH ROW
  WHEN (OLD.at > statement_timestamp() - interval '1 day') EXECUTE FUNCTION refuse_change();

-- What operators decided by commands, in order of time, beside what they did in the console.
CREATE INDEX history_decided ON history (at DESC) WHERE event LIKE 'a person decided%';
CREATE INDEX run_approved ON run (environment, approved_at DESC) WHERE approved_at IS NOT NULL;
CREATE INDEX run_rejected ON run (environment, rejected_at DESC) WHERE rejected_at IS NOT NULL;
CREATE INDEX revocation_recent ON revocation (environment, wanted_at DESC);
CREATE INDEX revocation_correction_recent ON revocation (environment, correction_at DESC)
  WHERE correction_at IS NOT NULL;

-- The pages: the refused runs, the newest first; and the failed and rejected rows, whichever list they are of, except
-- those of forgotten people, which can no longer be sent.
CREATE INDEX run_refused_recent ON run (environment, received_at DESC) WHERE state = 'refused';
CREATE INDEX issuance_without_credential ON issuance (environment, state_since DESC)
  WHERE state IN ('failed', 'rejected') AND recipient IS NOT NULL;
