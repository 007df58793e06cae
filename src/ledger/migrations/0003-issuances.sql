-- Issuances: what becomes of each recipient, in which steps, and by what the person is recognized. Nobody is issued
-- twice, and no step is forgotten.

-- The steps that the states allow (docs/architecture.md draws them). src/domain/credential/lifecycle.ts has the same
-- list; a test compares the two.
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
  ('failed', 'pending'), ('held', 'requested'), ('held', 'pending'),   -- these three only by an operator
  ('issued', 'revoked');

-- One recipient of one run, with a state.
CREATE TABLE issuance (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment   text NOT NULL,
  course_uuid   uuid NOT NULL,
  issuance_key  bytea NOT NULL,           -- keyed hash of course, identity and occurrence; outlives the personal data
  identity_hash bytea NOT NULL,
  run_id        uuid NOT NULL,
  row_number    integer NOT NULL,
  pipeline      text NOT NULL,
  recipient     jsonb,                    -- what is sent; null once it is emptied
  image_sha256  bytea,                    -- no reference: it stays as a record of what was sent, without the image
  adopted_as    text,                     -- the certificate name, if it was adopted; null if it was handed over
  corrects      bigint REFERENCES issuance,  -- whose place it takes: that one was revoked

  state         text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sending', 'unconfirmed', 'requested',
                                            'in_progress', 'issued', 'rejected', 'failed', 'held', 'revoked')),
  state_since   timestamptz NOT NULL DEFAULT clock_timestamp(),
  event         text NOT NULL DEFAULT 'accepted',  -- why it is in this state: triggers copy these two to the history
  evidence      jsonb,
  reason        text,                     -- the same as a sentence for people
  due_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_at    timestamptz,              -- an operator's last decision, who knew what the report showed by then

  -- Sending.
  attempt_id    bigint,                   -- the last attempt that contained it
  open_attempt  bigint,                   -- the same until its call has settled the row or the attempt is dropped
  first_sent_at timestamptz,              -- the first claim: report items that were seen before are not ours
  last_sent_at  timestamptz,
  resends       integer NOT NULL DEFAULT 0,
  batch_cap     integer,                  -- after a batch was refused, its rows travel in halves, down to a single row

  -- What the report shows.
  looks            integer NOT NULL DEFAULT 0,  -- complete scans, far enough apart, that did not show it
  controlled_looks integer NOT NULL DEFAULT 0,  -- those of them with a positive control: only these prove absence
  last_look_at     timestamptz,
  report_status    text,
  report_seen_at   timestamptz,
  entity_uuid      text,
  credential_id    text,
  verifier_link    text,
  issue_date       text,
  valid_till       text,
  revoked_date     text,
  surplus_items    integer NOT NULL DEFAULT 0,  -- report items for the person beyond the one that was asked for

  -- One credential per person, course and occasion.
  UNIQUE (environment, course_uuid, issuance_key),
  CHECK (state <> 'issued' OR credential_id IS NOT NULL)
);
COMMENT ON TABLE issuance IS 'kept as long as the ledger; its personal data until they are forgotten';
COMMENT ON COLUMN issuance.recipient IS
  'personal: the values of all fields: name, address, dates, whatever the course asks for. Why: it is sent to the '
  'service, compared with the credential report and with later lists. Forgotten: NULL.';
COMMENT ON COLUMN issuance.reason IS
  'personal: a sentence about the state, which may quote the service (addresses and long numbers are masked, a name '
  'may be left). Why: the results file and the commands explain the state. Forgotten: NULL, or a sentence without '
  'values.';
COMMENT ON COLUMN issuance.evidence IS
  'personal: what the last step was based on, with what the service wrote (addresses and long numbers are masked, a '
  'name may be left). Why: it is copied to the history. Forgotten: values are removed, ids and labels stay.';
COMMENT ON COLUMN issuance.issuance_key IS
  'pseudonymous: keyed hash of course, identity and occurrence: nobody is issued twice';
COMMENT ON COLUMN issuance.identity_hash IS 'pseudonymous: keyed hash of the identity';
COMMENT ON COLUMN issuance.image_sha256 IS
  'pseudonymous: hash of the image that was sent; NULL once the person is forgotten';
COMMENT ON COLUMN issuance.entity_uuid IS 'pseudonymous: the id of the report item';
COMMENT ON COLUMN issuance.credential_id IS
  'pseudonymous: the id of the credential, which anybody may look up at the service';
COMMENT ON COLUMN issuance.verifier_link IS 'pseudonymous: the link to the credential';
COMMENT ON COLUMN issuance.issue_date IS 'pseudonymous: as the report shows it';
COMMENT ON COLUMN issuance.valid_till IS 'pseudonymous: as the report shows it';
COMMENT ON COLUMN issuance.revoked_date IS 'pseudonymous: as the report shows it';
-- Each step of an issuance writes to each index that contains it, at places that lie scattered, so indexes are small.
CREATE INDEX issuance_due ON issuance (environment, pipeline, due_at, id) WHERE state = 'pending';
CREATE INDEX issuance_open ON issuance (environment, state)
  WHERE state IN ('sending', 'unconfirmed', 'requested', 'in_progress');
-- For the counts by state, which are read every few seconds. These rows have come to rest without a credential or have
-- lost it, and are few. Issued ones are not counted: they are what runs have accepted, less all others.
CREATE INDEX issuance_at_rest ON issuance (environment, pipeline, state)
  WHERE state IN ('held', 'failed', 'rejected', 'revoked');
CREATE INDEX issuance_credential ON issuance (credential_id) WHERE credential_id IS NOT NULL;
CREATE INDEX issuance_image ON issuance (image_sha256) WHERE image_sha256 IS NOT NULL;
-- An issuance is replaced by one correction at most.
CREATE UNIQUE INDEX issuance_corrects ON issuance (corrects) WHERE corrects IS NOT NULL;

-- Nobody is left out: issuances stay, keep their id, and belong to their run and course for ever.
CREATE TRIGGER issuance_is_kept BEFORE DELETE OR TRUNCATE ON issuance
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER issuance_id_stays BEFORE UPDATE OF id ON issuance FOR EACH ROW
  WHEN (OLD.id IS DISTINCT FROM NEW.id) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER issuance_has_run AFTER INSERT ON issuance REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION expect_run();
CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an issuance belongs to its run and key for ever' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER issuance_stays BEFORE UPDATE OF run_id, environment, course_uuid, corrects ON issuance FOR EACH ROW
  WHEN (OLD.run_id IS DISTINCT FROM NEW.run_id OR OLD.environment IS DISTINCT FROM NEW.environment
     OR OLD.course_uuid IS DISTINCT FROM NEW.course_uuid OR OLD.corrects IS DISTINCT FROM NEW.corrects)
  EXECUTE FUNCTION refuse_move();
CREATE TRIGGER issuance_adopted_stays BEFORE UPDATE OF adopted_as ON issuance FOR EACH ROW
  WHEN (OLD.adopted_as IS DISTINCT FROM NEW.adopted_as) EXECUTE FUNCTION refuse_change();

-- What was handed over begins as pending. What is adopted does not, because it would be sent, although the service has
-- issued it already.
CREATE FUNCTION check_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> 'pending' THEN
    RAISE EXCEPTION 'an issuance begins as pending, not as %', NEW.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER issuance_starts_pending BEFORE INSERT ON issuance FOR EACH ROW
  WHEN (NEW.state <> 'pending' AND NEW.adopted_as IS NULL) EXECUTE FUNCTION check_start();
CREATE FUNCTION check_adopted_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an adopted issuance begins as the report shows it, not as %', NEW.state
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER issuance_starts_adopted BEFORE INSERT ON issuance FOR EACH ROW
  WHEN (NEW.adopted_as IS NOT NULL AND NEW.state NOT IN ('requested', 'in_progress', 'issued', 'revoked'))
  EXECUTE FUNCTION check_adopted_start();

-- A row is in one batch at a time, whatever the queues do. The row itself names it, so that it cannot be in two.
CREATE FUNCTION refuse_second_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'issuance % is in attempt % already, and cannot join %', OLD.id, OLD.open_attempt, NEW.open_attempt
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER issuance_in_one_attempt BEFORE UPDATE OF open_attempt ON issuance FOR EACH ROW
  WHEN (OLD.open_attempt <> NEW.open_attempt) EXECUTE FUNCTION refuse_second_attempt();

-- The ways in which the report may show the person of an issuance, as keyed hashes. A table of its own: with an index
-- of an array each look-up took 3 ms, and here it takes microseconds.
CREATE TABLE issuance_match (
  hash        bytea NOT NULL,
  issuance_id bigint NOT NULL,
  PRIMARY KEY (hash, issuance_id)
);
COMMENT ON TABLE issuance_match IS 'kept as long as the ledger; removed if the person is released';
COMMENT ON COLUMN issuance_match.hash IS 'pseudonymous: keyed hash of an address, number or identity value';
CREATE INDEX issuance_match_issuance ON issuance_match (issuance_id);
CREATE TRIGGER issuance_match_has_issuance AFTER INSERT ON issuance_match REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION expect_issuance();
CREATE TRIGGER issuance_match_stays BEFORE UPDATE OF issuance_id ON issuance_match FOR EACH ROW
  WHEN (OLD.issuance_id IS DISTINCT FROM NEW.issuance_id) EXECUTE FUNCTION refuse_change();

-- The identities of issuances, by which people find them. A table of its own: as an index of `issuance` it cost a fifth
-- of all that the database did for a person.
CREATE TABLE issuance_identity (
  identity_hash bytea NOT NULL,
  issuance_id   bigint NOT NULL,
  PRIMARY KEY (identity_hash, issuance_id)
);
COMMENT ON TABLE issuance_identity IS 'kept as long as the ledger; removed if the person is released';
COMMENT ON COLUMN issuance_identity.identity_hash IS 'pseudonymous: keyed hash of the identity';

-- All that has happened to an issuance, in order: its steps, and events without one. `credsync explain` reads it.
CREATE TABLE history (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issuance_id bigint NOT NULL,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  event       text NOT NULL,
  from_state  text,
  to_state    text,
  attempt_id  bigint,
  evidence    jsonb
);
COMMENT ON TABLE history IS 'kept as long as the ledger; its personal data until they are forgotten';
COMMENT ON COLUMN history.evidence IS
  'personal: what the step was based on: ids, labels, what the service wrote (addresses and long numbers are masked, a '
  'name may be left), what an operator wrote. Why: `credsync explain` shows it, and decisions can be traced. '
  'Forgotten: values are removed, ids and labels stay.';
CREATE INDEX history_issuance ON history (issuance_id, id);
-- The history is append-only. (Forgetting, in 0010, lets personal data go.)
CREATE TRIGGER history_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The triggers below write of issuances that exist. Only what somebody else writes is looked at.
CREATE FUNCTION check_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM issuance WHERE id = NEW.issuance_id) THEN
    RAISE EXCEPTION '% of % names an issuance that is not there', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER history_has_issuance BEFORE INSERT ON history FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION check_history();

-- What follows an insertion, once for all rows of the statement.
CREATE FUNCTION begin_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history (issuance_id, event, to_state, attempt_id, evidence)
  SELECT id, event, state, attempt_id, evidence FROM fresh ORDER BY id;
  INSERT INTO issuance_identity (identity_hash, issuance_id) SELECT identity_hash, id FROM fresh;
  INSERT INTO run_count (run_id, state, rows, surplus)
  SELECT run_id, state, count(*), sum(surplus_items) FROM fresh GROUP BY run_id, state;
  RETURN NULL;
END $$;
CREATE TRIGGER issuance_begins AFTER INSERT ON issuance REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION begin_history();

-- A row whose call has an outcome leaves its batch.
CREATE FUNCTION check_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.state_since := clock_timestamp();
  IF NEW.state NOT IN ('pending', 'sending', 'unconfirmed') THEN
    NEW.open_attempt := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER issuance_step BEFORE UPDATE ON issuance FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_step();

-- Refuses steps that the states do not allow, writes the history and moves the counts, once for all rows of a
-- statement. What the report shows as done for the first time was in progress as well: one change of a row, recorded as
-- its two steps. The plan is kept for as long as its session, and the first statement may change a single row, so the
-- planner must not choose a plan for one row.
CREATE FUNCTION write_steps() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  refused record;
BEGIN
  WITH change AS MATERIALIZED (
    SELECT n.id, n.run_id, o.state AS from_state, n.state AS to_state, n.event, n.attempt_id, n.evidence,
           o.surplus_items AS had, n.surplus_items AS has,
           CASE WHEN o.state = 'requested' AND n.state IN ('issued', 'rejected', 'failed') AND n.event = 'report'
                THEN 'in_progress' END AS via
    FROM before o JOIN after n ON n.id = o.id WHERE n.state <> o.state OR n.surplus_items <> o.surplus_items),
  noted AS (
    INSERT INTO history (issuance_id, event, from_state, to_state, attempt_id, evidence)
    SELECT id, event, from_state, to_state, attempt_id, evidence FROM (
      SELECT id, 1 AS step, event, from_state, coalesce(via, to_state) AS to_state, attempt_id, evidence
      FROM change WHERE from_state <> to_state
      UNION ALL SELECT id, 2, event, via, to_state, attempt_id, evidence FROM change WHERE via IS NOT NULL) s
    ORDER BY id, step),
  counted AS (
    INSERT INTO run_count (run_id, state, rows, surplus)
    SELECT run_id, state, sum(rows), sum(surplus) FROM (
      SELECT run_id, from_state AS state, -1 AS rows, -had AS surplus FROM change
      UNION ALL SELECT run_id, to_state, 1, has FROM change) moved
    GROUP BY run_id, state HAVING sum(rows) <> 0 OR sum(surplus) <> 0)
  SELECT c.from_state, c.to_state INTO refused FROM change c
  WHERE c.from_state <> c.to_state AND c.via IS NULL
    AND (c.from_state, c.to_state) NOT IN (SELECT from_state, to_state FROM lifecycle_step) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'an issuance cannot go from % to %', refused.from_state, refused.to_state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER issuance_moves AFTER UPDATE ON issuance REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION write_steps();
