-- The ledger: the truth about every recipient that was ever handed to us. Queues are a to-do list and may be lost; this may not.
-- Everything lives in the schema credsync, which the migration runner has put first on the search path.

-- Who this ledger is. The key makes the hashes of people useless to anyone who has only the hashes.
CREATE TABLE ledger (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id         uuid NOT NULL DEFAULT gen_random_uuid(),
  hash_key   bytea NOT NULL CHECK (length(hash_key) = 32),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A service address belongs to one environment for ever: what was production can't be used as development by a slip in a file.
CREATE TABLE service_address (
  base_url    text PRIMARY KEY,
  environment text NOT NULL,
  first_used  timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE course (
  environment      text NOT NULL,
  course_uuid      uuid NOT NULL,
  certificate_name text,                 -- how the report names this course; learned, never configured
  batch_limit      integer,              -- the size that worked after the service called one too large
  paused_until     timestamptz,
  pause_reason     text,
  canary_since     timestamptz NOT NULL DEFAULT '-infinity',  -- batches are of one until a call sent after this was accepted
  PRIMARY KEY (environment, course_uuid)
);

CREATE TABLE run (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  environment   text NOT NULL,
  pipeline      text NOT NULL,
  course_uuid   uuid,
  source_name   text NOT NULL,
  source_path   text NOT NULL,
  source_sha256 text NOT NULL,
  format        text,
  header        jsonb,
  state         text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'published', 'refused')),
  rows          integer NOT NULL DEFAULT 0,
  invalid       integer NOT NULL DEFAULT 0,
  skipped       integer NOT NULL DEFAULT 0,
  accepted      integer NOT NULL DEFAULT 0,
  read_rows     integer NOT NULL DEFAULT 0,   -- progress while the source is being read
  notices       jsonb NOT NULL DEFAULT '[]',
  refusal       text,
  results_path  text,
  invalid_path  text,
  received_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at  timestamptz,
  settled_at    timestamptz,
  asked_at      timestamptz,                  -- when a job for it was last asked for
  CHECK (rows = invalid + skipped + accepted)
);
CREATE INDEX run_recent ON run (received_at DESC);
CREATE INDEX run_same_source ON run (environment, pipeline, source_sha256);

-- Rows of a source that is still being read. They become visible all at once, when the source has ended well, or not at all.
CREATE TABLE staged_row (
  run_id        uuid NOT NULL REFERENCES run,
  row_number    integer NOT NULL,
  cells         jsonb NOT NULL,
  violations    jsonb,
  recipient     jsonb,
  issuance_key  bytea,
  identity_hash bytea,
  match_hashes  bytea[],
  PRIMARY KEY (run_id, row_number)
);

CREATE TABLE lifecycle_step (
  from_state text NOT NULL,
  to_state   text NOT NULL,
  PRIMARY KEY (from_state, to_state)
);
INSERT INTO lifecycle_step VALUES
  ('pending', 'sending'), ('pending', 'unconfirmed'),
  ('sending', 'requested'), ('sending', 'unconfirmed'), ('sending', 'failed'),
  ('unconfirmed', 'requested'), ('unconfirmed', 'pending'), ('unconfirmed', 'held'),
  ('requested', 'in_progress'), ('requested', 'held'),
  ('in_progress', 'issued'), ('in_progress', 'rejected'), ('in_progress', 'failed'), ('in_progress', 'held'),
  ('failed', 'pending'), ('held', 'requested'), ('held', 'pending'),   -- by a person only
  ('issued', 'revoked');

CREATE TABLE issuance (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment    text NOT NULL,
  course_uuid    uuid NOT NULL,
  issuance_key   bytea NOT NULL,          -- keyed hash of course, identity and occurrence; outlives the personal data
  identity_hash  bytea NOT NULL,
  run_id         uuid NOT NULL REFERENCES run,
  row_number     integer NOT NULL,
  pipeline       text NOT NULL,
  recipient      jsonb,                   -- what is sent; emptied when the person is forgotten
  state          text NOT NULL DEFAULT 'pending',
  state_since    timestamptz NOT NULL DEFAULT clock_timestamp(),
  event          text NOT NULL DEFAULT 'accepted',   -- why the row is in this state, and the evidence: copied to the history
  evidence       jsonb,
  attempt_id     bigint,
  reason         text,                    -- a sentence for people
  due_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  first_sent_at  timestamptz,             -- the first door; report items seen before it are not ours
  last_sent_at   timestamptz,
  resends        integer NOT NULL DEFAULT 0,
  batch_cap      integer,                 -- after a refused batch: the rows travel in halves, down to one
  looks          integer NOT NULL DEFAULT 0,         -- complete scans of the report, far enough apart, that did not show it
  last_look_at   timestamptz,
  report_status  text,
  report_seen_at timestamptz,
  entity_uuid    text,
  credential_id  text,
  verifier_link  text,
  issue_date     text,
  valid_till     text,
  revoked_date   text,
  decided_at     timestamptz,             -- when a person last decided about it; what the report showed by then was known to them
  surplus_items  integer NOT NULL DEFAULT 0,         -- report items for this person beyond the one we asked for
  UNIQUE (environment, course_uuid, issuance_key),
  CHECK (state IN ('pending', 'sending', 'unconfirmed', 'requested', 'in_progress', 'issued', 'rejected', 'failed', 'held', 'revoked')),
  CHECK (state <> 'issued' OR credential_id IS NOT NULL)
);
CREATE INDEX issuance_run ON issuance (run_id, state);
CREATE INDEX issuance_due ON issuance (environment, pipeline, due_at, id) WHERE state = 'pending';
CREATE INDEX issuance_open ON issuance (environment, state) WHERE state IN ('sending', 'unconfirmed', 'requested', 'in_progress');
CREATE INDEX issuance_identity ON issuance (identity_hash);

-- The ways in which the report may show an issuance's person, as keyed hashes. A table of its own: an index over an array column
-- took 3 ms for each look-up where this takes microseconds.
CREATE TABLE issuance_match (
  hash        bytea NOT NULL,
  issuance_id bigint NOT NULL REFERENCES issuance,
  PRIMARY KEY (hash, issuance_id)
);
CREATE INDEX issuance_match_issuance ON issuance_match (issuance_id);

CREATE TABLE run_row (
  run_id      uuid NOT NULL REFERENCES run,
  row_number  integer NOT NULL,
  outcome     text NOT NULL CHECK (outcome IN ('accepted', 'skipped', 'invalid')),
  cells       jsonb NOT NULL,
  violations  jsonb,
  issuance_id bigint REFERENCES issuance,
  reason      text,
  PRIMARY KEY (run_id, row_number),
  CHECK ((outcome = 'invalid') = (issuance_id IS NULL))
);
CREATE INDEX run_row_issuance ON run_row (issuance_id);

-- One attempt is one call with one batch: it passes the door from prepared to sending once, or never.
CREATE TABLE attempt (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment    text NOT NULL,
  course_uuid    uuid NOT NULL,
  pipeline       text NOT NULL,
  phase          text NOT NULL DEFAULT 'prepared' CHECK (phase IN ('prepared', 'sending', 'ended', 'dropped')),
  size           integer NOT NULL,
  prepared_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at       timestamptz,
  sending_at     timestamptz,
  deadline_at    timestamptz,
  ended_at       timestamptz,
  outcome        text CHECK (outcome IN ('not_sent', 'throttled', 'too_large', 'refused', 'accepted', 'unknown')),
  http_status    integer,
  error_code     text,
  words          text,
  request_sha256 text,
  instance       uuid
);
CREATE INDEX attempt_open ON attempt (environment, phase) WHERE phase IN ('prepared', 'sending');

CREATE TABLE attempt_item (
  attempt_id  bigint NOT NULL REFERENCES attempt,
  issuance_id bigint NOT NULL REFERENCES issuance,
  position    integer NOT NULL,
  open        boolean NOT NULL DEFAULT true,
  PRIMARY KEY (attempt_id, issuance_id)
);
-- No issuance is in two batches at once, whatever the queues do.
CREATE UNIQUE INDEX attempt_item_one_open ON attempt_item (issuance_id) WHERE open;

-- A report item belongs to one issuance, for ever.
CREATE TABLE claim (
  environment text NOT NULL,
  item_key    text NOT NULL,               -- the item's entity_uuid, or its fingerprint until it has one
  issuance_id bigint NOT NULL UNIQUE REFERENCES issuance,
  fingerprint text NOT NULL,
  claimed_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, item_key)
);

-- When each report item was first seen. Items seen before an issuance was first sent are its baseline: not ours. No personal data.
CREATE TABLE sighting (
  environment   text NOT NULL,
  item_key      text NOT NULL,
  request_date  date,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, item_key)
);

-- Report items beyond the one that was asked for: somebody issued the same credential elsewhere, or the service did it twice.
CREATE TABLE surplus_item (
  environment text NOT NULL,
  item_key    text NOT NULL,
  issuance_id bigint NOT NULL REFERENCES issuance,
  seen_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, item_key)
);

CREATE TABLE scan (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  since       date NOT NULL,
  started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at    timestamptz,
  complete    boolean NOT NULL DEFAULT false,
  pages       integer NOT NULL DEFAULT 0,
  items       integer NOT NULL DEFAULT 0,
  claimed     integer NOT NULL DEFAULT 0,
  unknown     integer NOT NULL DEFAULT 0,   -- items with a status that is not documented
  problem     text
);
CREATE INDEX scan_recent ON scan (environment, started_at DESC);

CREATE TABLE write_back (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id     uuid NOT NULL REFERENCES run,
  target     text NOT NULL CHECK (target IN ('results-file')),
  wanted     integer NOT NULL DEFAULT 1,   -- raised whenever there is something new to tell
  told       integer NOT NULL DEFAULT 0,   -- the version that the source was told last
  asked_at   timestamptz,
  told_at    timestamptz,
  problem    text,
  UNIQUE (run_id, target)
);

CREATE TABLE poller (
  environment text PRIMARY KEY,
  deep_due_at timestamptz NOT NULL DEFAULT clock_timestamp(),  -- when all open rows are looked for, not only the young ones
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at    timestamptz
);

-- All that happened to an issuance, in order. `explain` speaks from here.
CREATE TABLE history (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issuance_id bigint NOT NULL REFERENCES issuance,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  event       text NOT NULL,
  from_state  text,
  to_state    text,
  attempt_id  bigint,
  evidence    jsonb
);
CREATE INDEX history_issuance ON history (issuance_id, id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: it is kept for ever', TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER history_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON history FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER issuance_is_kept BEFORE DELETE OR TRUNCATE ON issuance FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER run_row_is_kept BEFORE DELETE OR TRUNCATE ON run_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM lifecycle_step WHERE from_state = OLD.state AND to_state = NEW.state) THEN
    RAISE EXCEPTION 'an issuance cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.state_since := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER issuance_step BEFORE UPDATE ON issuance FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_step();

CREATE FUNCTION write_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history (issuance_id, event, from_state, to_state, attempt_id, evidence)
  VALUES (NEW.id, NEW.event, CASE WHEN TG_OP = 'UPDATE' THEN OLD.state END, NEW.state, NEW.attempt_id, NEW.evidence);
  RETURN NULL;
END $$;
CREATE TRIGGER issuance_begins AFTER INSERT ON issuance FOR EACH ROW EXECUTE FUNCTION write_history();
CREATE TRIGGER issuance_moves AFTER UPDATE ON issuance FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION write_history();

CREATE FUNCTION check_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> 'pending' THEN
    RAISE EXCEPTION 'an issuance begins as pending, not as %', NEW.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER issuance_starts_pending BEFORE INSERT ON issuance FOR EACH ROW EXECUTE FUNCTION check_start();

-- accepted = sum of states: checked when a run is published, and kept from then on because issuances are never deleted or moved.
CREATE FUNCTION check_run_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found integer;
BEGIN
  SELECT count(*) INTO found FROM issuance WHERE run_id = NEW.id;
  IF found <> NEW.accepted THEN
    RAISE EXCEPTION 'run % says % accepted, the ledger holds %', NEW.id, NEW.accepted, found USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER run_balances AFTER INSERT OR UPDATE OF accepted, state ON run DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_run_balance();
CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an issuance belongs to its run and key for ever' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER issuance_stays BEFORE UPDATE OF run_id, issuance_key, environment, course_uuid ON issuance FOR EACH ROW
  WHEN (OLD.run_id IS DISTINCT FROM NEW.run_id OR OLD.issuance_key IS DISTINCT FROM NEW.issuance_key
     OR OLD.environment IS DISTINCT FROM NEW.environment OR OLD.course_uuid IS DISTINCT FROM NEW.course_uuid)
  EXECUTE FUNCTION refuse_move();
