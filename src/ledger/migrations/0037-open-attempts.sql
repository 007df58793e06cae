-- A row itself says which attempt contains it, so that no row can be in two, and what an attempt once contained never changes. The statements of
-- sending find everything by keys: their plans do not depend on the planner's statistics.

ALTER TABLE issuance ADD COLUMN open_attempt bigint;   -- null once the attempt's call has settled the row, or the attempt was dropped
UPDATE issuance i SET open_attempt = t.attempt_id FROM attempt_item t WHERE t.open AND t.issuance_id = i.id;
DROP INDEX attempt_item_one_open;
-- `open` stays for workers of the version before, which still have outcomes to write; nobody reads it.
CREATE INDEX attempt_item_issuance ON attempt_item (issuance_id);
CREATE INDEX attempt_accepted ON attempt (environment, course_uuid, sending_at) WHERE outcome = 'accepted';
CREATE INDEX run_unsettled ON run (environment, pipeline) WHERE settled_at IS NULL;

CREATE FUNCTION refuse_second_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'issuance % is in attempt % already, and cannot join %', OLD.id, OLD.open_attempt, NEW.open_attempt USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER issuance_in_one_attempt BEFORE UPDATE OF open_attempt ON issuance FOR EACH ROW
  WHEN (OLD.open_attempt <> NEW.open_attempt) EXECUTE FUNCTION refuse_second_attempt();

CREATE OR REPLACE FUNCTION check_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM lifecycle_step WHERE from_state = OLD.state AND to_state = NEW.state) THEN
    RAISE EXCEPTION 'an issuance cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.state_since := clock_timestamp();
  IF NEW.state NOT IN ('pending', 'sending', 'unconfirmed') THEN
    NEW.open_attempt := NULL;
  END IF;
  RETURN NEW;
END $$;
