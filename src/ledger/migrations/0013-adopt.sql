-- Credentials that were issued before the ledger knew their course: taken over from the report, and never sent by us.

ALTER TABLE run
  ADD COLUMN adopts   text,                             -- the run is no list: it holds what the report shows under this certificate_name
  ADD COLUMN adopting boolean NOT NULL DEFAULT false,   -- not finished; the next adoption goes on with it
  ADD CHECK (NOT adopting OR adopts IS NOT NULL);
CREATE UNIQUE INDEX run_one_adoption ON run (environment, pipeline, course_uuid) WHERE adopting;
CREATE INDEX run_adopts ON run (environment, course_uuid) WHERE adopts IS NOT NULL;

-- The certificate_name under which the report showed it; null for whatever was handed to us. Its recipient holds only what the report shows.
ALTER TABLE issuance ADD COLUMN adopted_as text;
CREATE TRIGGER issuance_adopted_stays BEFORE UPDATE OF adopted_as ON issuance FOR EACH ROW
  WHEN (OLD.adopted_as IS DISTINCT FROM NEW.adopted_as) EXECUTE FUNCTION refuse_change();

-- What the service has already cannot begin as pending: that would be sent.
CREATE FUNCTION check_adopted_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an adopted issuance begins as the report shows it, not as %', NEW.state USING ERRCODE = 'integrity_constraint_violation';
END $$;
DROP TRIGGER issuance_starts_pending ON issuance;
CREATE TRIGGER issuance_starts_pending BEFORE INSERT ON issuance FOR EACH ROW
  WHEN (NEW.state <> 'pending' AND NEW.adopted_as IS NULL) EXECUTE FUNCTION check_start();
CREATE TRIGGER issuance_starts_adopted BEFORE INSERT ON issuance FOR EACH ROW
  WHEN (NEW.adopted_as IS NOT NULL AND NEW.state NOT IN ('requested', 'in_progress', 'issued', 'revoked')) EXECUTE FUNCTION check_adopted_start();
