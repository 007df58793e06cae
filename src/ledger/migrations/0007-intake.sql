-- What a list of a million rows costs on its way into the ledger: each rule looks once at what a statement inserts, and not at each row.

-- Staged rows do not outlive a crash of the server. A reading that dies starts from the first row anyway, and what is staged is counted before it
-- is published.
DELETE FROM staged_row;
ALTER TABLE staged_row DROP CONSTRAINT staged_row_run_id_fkey;
ALTER TABLE staged_row SET UNLOGGED;

DROP TRIGGER issuance_starts_pending ON issuance;
CREATE TRIGGER issuance_starts_pending BEFORE INSERT ON issuance FOR EACH ROW WHEN (NEW.state <> 'pending') EXECUTE FUNCTION check_start();

-- Foreign keys look up and lock the other row for each row: more than half of what a publication took. The same promise in three parts: what is
-- named is there when it is named, it is never taken away, and neither end moves.
ALTER TABLE issuance DROP CONSTRAINT issuance_run_id_fkey;
ALTER TABLE issuance_match DROP CONSTRAINT issuance_match_issuance_id_fkey;
ALTER TABLE run_row DROP CONSTRAINT run_row_run_id_fkey, DROP CONSTRAINT run_row_issuance_id_fkey;
ALTER TABLE history DROP CONSTRAINT history_issuance_id_fkey;

-- The planner would rather walk a table that it takes for empty: the look-ups are to use the index.
CREATE FUNCTION expect_run() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT run_id FROM fresh) f WHERE NOT EXISTS (SELECT FROM run WHERE run.id = f.run_id)) THEN
    RAISE EXCEPTION '% of % names a run that is not there', TG_OP, TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION expect_issuance() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_nestloop = on AS $$
BEGIN
  IF EXISTS (SELECT FROM fresh f WHERE f.issuance_id IS NOT NULL AND NOT EXISTS (SELECT FROM issuance i WHERE i.id = f.issuance_id)) THEN
    RAISE EXCEPTION '% of % names an issuance that is not there', TG_OP, TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER issuance_has_run AFTER INSERT ON issuance REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION expect_run();
CREATE TRIGGER run_row_has_run AFTER INSERT ON run_row REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION expect_run();
CREATE TRIGGER run_row_has_issuance AFTER INSERT ON run_row REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION expect_issuance();
CREATE TRIGGER issuance_match_has_issuance AFTER INSERT ON issuance_match REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION expect_issuance();

-- Issuances are kept already (issuance_is_kept).
CREATE TRIGGER run_is_kept BEFORE DELETE OR TRUNCATE ON run FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER run_stays BEFORE UPDATE OF id ON run FOR EACH ROW WHEN (OLD.id IS DISTINCT FROM NEW.id) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER issuance_id_stays BEFORE UPDATE OF id ON issuance FOR EACH ROW WHEN (OLD.id IS DISTINCT FROM NEW.id) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER run_row_stays BEFORE UPDATE OF run_id, issuance_id ON run_row FOR EACH ROW
  WHEN (OLD.run_id IS DISTINCT FROM NEW.run_id OR OLD.issuance_id IS DISTINCT FROM NEW.issuance_id) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER issuance_match_stays BEFORE UPDATE OF issuance_id ON issuance_match FOR EACH ROW
  WHEN (OLD.issuance_id IS DISTINCT FROM NEW.issuance_id) EXECUTE FUNCTION refuse_change();

-- The history writes itself, of issuances that are there. Only what somebody else writes into it has to be looked at.
CREATE FUNCTION check_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM issuance WHERE id = NEW.issuance_id) THEN
    RAISE EXCEPTION '% of % names an issuance that is not there', TG_OP, TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER history_has_issuance BEFORE INSERT ON history FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION check_history();

CREATE FUNCTION begin_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history (issuance_id, event, to_state, attempt_id, evidence) SELECT id, event, state, attempt_id, evidence FROM fresh ORDER BY id;
  RETURN NULL;
END $$;
DROP TRIGGER issuance_begins ON issuance;
CREATE TRIGGER issuance_begins AFTER INSERT ON issuance REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION begin_history();
