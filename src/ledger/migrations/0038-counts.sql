-- The rows of a run in each state are counted as they move, so that nobody has to count them again: each statement adds what it changed, and the
-- sum is what there is. Entries are only added, so that senders of one run do not wait for each other, and summed up now and then.
-- The rules for steps, their history and the counts look once at what a statement changed, and not at each row.

CREATE TABLE run_count (
  run_id  uuid NOT NULL,
  state   text NOT NULL,
  rows    integer NOT NULL,   -- that came, less those that left
  surplus integer NOT NULL    -- report items beyond the ones that were asked for
);
INSERT INTO run_count SELECT run_id, state, count(*), sum(surplus_items) FROM issuance GROUP BY run_id, state;
CREATE INDEX run_count_run ON run_count (run_id);
-- Rows of a run are found by run_row, which does not change with each step.
DROP INDEX issuance_run;

CREATE OR REPLACE FUNCTION begin_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history (issuance_id, event, to_state, attempt_id, evidence) SELECT id, event, state, attempt_id, evidence FROM fresh ORDER BY id;
  INSERT INTO run_count (run_id, state, rows, surplus) SELECT run_id, state, count(*), sum(surplus_items) FROM fresh GROUP BY run_id, state;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION check_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.state_since := clock_timestamp();
  IF NEW.state NOT IN ('pending', 'sending', 'unconfirmed') THEN
    NEW.open_attempt := NULL;
  END IF;
  RETURN NEW;
END $$;

-- A plan is kept for as long as its session, and the first statement may change a single row.
-- What the report shows as done for the first time was in progress, too: one change of a row, recorded as its two steps.
CREATE FUNCTION write_steps() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  refused record;
BEGIN
  WITH change AS MATERIALIZED (
    SELECT n.id, n.run_id, o.state AS from_state, n.state AS to_state, n.event, n.attempt_id, n.evidence, o.surplus_items AS had, n.surplus_items AS has,
           CASE WHEN o.state = 'requested' AND n.state IN ('issued', 'rejected', 'failed') AND n.event = 'report' THEN 'in_progress' END AS via
    FROM before o JOIN after n ON n.id = o.id WHERE n.state <> o.state OR n.surplus_items <> o.surplus_items),
  noted AS (
    INSERT INTO history (issuance_id, event, from_state, to_state, attempt_id, evidence)
    SELECT id, event, from_state, to_state, attempt_id, evidence FROM (
      SELECT id, 1 AS step, event, from_state, coalesce(via, to_state) AS to_state, attempt_id, evidence FROM change WHERE from_state <> to_state
      UNION ALL SELECT id, 2, event, via, to_state, attempt_id, evidence FROM change WHERE via IS NOT NULL) s
    ORDER BY id, step),
  counted AS (
    INSERT INTO run_count (run_id, state, rows, surplus)
    SELECT run_id, state, sum(rows), sum(surplus) FROM (
      SELECT run_id, from_state AS state, -1 AS rows, -had AS surplus FROM change
      UNION ALL SELECT run_id, to_state, 1, has FROM change) moved
    GROUP BY run_id, state HAVING sum(rows) <> 0 OR sum(surplus) <> 0)
  SELECT c.from_state, c.to_state INTO refused FROM change c
  WHERE c.from_state <> c.to_state AND c.via IS NULL AND (c.from_state, c.to_state) NOT IN (SELECT from_state, to_state FROM lifecycle_step) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'an issuance cannot go from % to %', refused.from_state, refused.to_state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER issuance_moves ON issuance;
DROP FUNCTION write_history();
CREATE TRIGGER issuance_moves AFTER UPDATE ON issuance REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION write_steps();

CREATE OR REPLACE FUNCTION check_run_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found integer;
BEGIN
  SELECT coalesce(sum(rows), 0) INTO found FROM run_count WHERE run_id = NEW.id;
  IF found <> NEW.accepted THEN
    RAISE EXCEPTION 'run % says % accepted, the ledger holds %', NEW.id, NEW.accepted, found USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;

-- A run is settled by its counts, so they are compared once with its rows.
CREATE FUNCTION check_run_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT i.state, count(*) AS rows FROM run_row r JOIN issuance i ON i.id = r.issuance_id
                 WHERE r.run_id = NEW.id AND r.outcome = 'accepted' GROUP BY i.state) held
    FULL JOIN (SELECT state, sum(rows) AS rows FROM run_count WHERE run_id = NEW.id GROUP BY state HAVING sum(rows) <> 0) counted USING (state)
    WHERE held.rows IS DISTINCT FROM counted.rows)
  THEN
    RAISE EXCEPTION 'the counts of run % differ from its rows', NEW.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER run_counts_agree AFTER UPDATE OF settled_at ON run FOR EACH ROW
  WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL AND NEW.state = 'published') EXECUTE FUNCTION check_run_counts();
