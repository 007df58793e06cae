-- What the report shows as done for the first time was in progress, too: one change of a row, recorded as its two steps.

CREATE OR REPLACE FUNCTION write_steps() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
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
