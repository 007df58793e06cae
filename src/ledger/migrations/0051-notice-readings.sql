-- What notices are decided from is found by indexes and kept times, so that looking every few seconds costs as much in a ledger of years as in a
-- new one. The indexes are built within the migration: runs, write-backs, revocations, deliveries and completions cannot be written until it ends.

-- When the last summary of a list was made; what waits for one is found by it.
ALTER TABLE run ADD COLUMN summarized_at timestamptz;
UPDATE run SET summarized_at = n.recovered_at FROM notice n
  WHERE n.environment = run.environment AND n.key = 'summary ' || run.id AND n.recovered_at IS NOT NULL;
CREATE INDEX run_to_summarize ON run (environment, received_at)
  WHERE summarized_at IS NULL AND state = 'published' AND adopts IS NULL AND corrects IS NULL;
-- The newest lists of a pipeline are found by their time. Without statistics, the planner would rather sort all of them, which it found by the
-- other index as long as that began with the pipeline.
CREATE INDEX run_of_pipeline ON run (environment, pipeline, received_at);
DROP INDEX run_same_source;
CREATE INDEX run_same_source ON run (source_sha256, environment, pipeline);

-- A run that was settled and has open rows again: they are open since then, and not since it was published.
ALTER TABLE run ADD COLUMN reopened_at timestamptz;
CREATE FUNCTION note_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.reopened_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER run_reopens BEFORE UPDATE OF settled_at ON run FOR EACH ROW
  WHEN (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NULL) EXECUTE FUNCTION note_reopening();

CREATE INDEX write_back_due ON write_back (run_id) WHERE told < wanted;
CREATE INDEX tell_refused ON tell (issuance_id) WHERE state = 'pending' AND refused;
CREATE INDEX completion_heard ON completion (environment, pipeline, heard_at);
CREATE INDEX revocation_of_credential ON revocation (environment, credential_id, id);
CREATE INDEX revocation_to_decide ON revocation (environment, wanted_at) WHERE doubt IS NOT NULL OR state IN ('refused', 'not_applied');

-- Nobody watches any more what a notice was about: it ends, and nobody reads that all is well.
ALTER TABLE notice_change DROP CONSTRAINT notice_change_change_check;
ALTER TABLE notice_change ADD CONSTRAINT notice_change_change_check CHECK (change IN ('opened', 'reminded', 'recovered', 'withdrawn'));
