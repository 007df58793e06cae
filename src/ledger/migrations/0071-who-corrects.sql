-- Who wanted the correction, and why, if somebody had asked for the revocation before: `by` and `why` say who asked for that.
-- The instant is when the correction was added to an open revocation; null if it was taken over from one that had failed.
ALTER TABLE revocation
  ADD COLUMN correction_by text,
  ADD COLUMN correction_why text,
  ADD COLUMN correction_at timestamptz,
  ADD CONSTRAINT revocation_correction_decided
    CHECK ((correction_by IS NULL) = (correction_why IS NULL) AND (correction_at IS NULL OR correction_by IS NOT NULL));
CREATE INDEX revocation_correction_recent ON revocation (environment, correction_at DESC) WHERE correction_at IS NOT NULL;
