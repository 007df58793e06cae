-- The console: its people, their sessions, and who did what and looked at whom. Times are those of the worker that answered, because what is over
-- is decided by them.

CREATE TABLE console_person (
  environment  text NOT NULL,
  name         text NOT NULL,
  role         text NOT NULL CHECK (role IN ('viewer', 'registrar', 'operator')),
  pipelines    text[],                     -- null: all
  password     text,                       -- a scrypt hash; null until the person has set one
  link_hash    bytea UNIQUE,               -- of the link by which it is set; null once it was used
  link_ends_at timestamptz,
  added_at     timestamptz NOT NULL,
  added_by     text NOT NULL,
  PRIMARY KEY (environment, name),
  CHECK ((link_hash IS NULL) = (link_ends_at IS NULL)),
  CHECK (role <> 'registrar' OR pipelines IS NOT NULL)
);

-- Only the hash of what the browser shows, so that a copy of the ledger lets nobody in.
CREATE TABLE console_session (
  token_hash  bytea PRIMARY KEY,
  environment text NOT NULL,
  name        text NOT NULL,
  role        text CHECK (role IN ('viewer', 'registrar', 'operator')),   -- null for a local person, whose role is looked up
  pipelines   text[],
  began_at    timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL
);
CREATE INDEX console_session_of_person ON console_session (environment, name);

-- No names of the people that are looked at: their issuances name them as long as the ledger may.
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
CREATE INDEX console_act_recent ON console_act (environment, at DESC);
CREATE TRIGGER console_act_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON console_act FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What people decided by commands, in the order of time, beside what they did in the console.
CREATE INDEX history_decided ON history (at DESC) WHERE event LIKE 'a person decided%';
CREATE INDEX run_approved ON run (environment, approved_at DESC) WHERE approved_at IS NOT NULL;
CREATE INDEX run_rejected ON run (environment, rejected_at DESC) WHERE rejected_at IS NOT NULL;
CREATE INDEX revocation_recent ON revocation (environment, wanted_at DESC);

-- The calls of the last hour and of the last day.
CREATE INDEX attempt_sent ON attempt (environment, sending_at DESC) WHERE sending_at IS NOT NULL;
