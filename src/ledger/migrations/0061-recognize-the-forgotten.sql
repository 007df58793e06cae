-- By which fields occasions were told apart when the person was forgotten: if they differ from those of a later list, nobody can say whether
-- the list means the same credential. Null if they are not known, as for everybody who was forgotten before this.
ALTER TABLE erased_issuance ADD COLUMN occurrence_fields text[];

-- By what a later list is recognized that names somebody of whom no issuance was forgotten, but an invalid row or a completion: hashes of the
-- values that it had. The row or the completion is not named if only a list of erasures outside the ledger knows of it.
CREATE TABLE erased_trace (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  erasure_id        uuid NOT NULL REFERENCES erasure,
  environment       text NOT NULL,
  course_uuid       uuid NOT NULL,
  run_id            uuid,
  row_number        integer,
  completion_id     bigint REFERENCES erased_completion,
  identity_fields   text[] NOT NULL,   -- as in erased_issuance
  identity_hash     bytea,             -- null if the record does not show a valid identity
  name_hash         bytea,             -- null if the record does not show a valid name
  occurrence_fields text[],            -- null if the record does not show a valid occasion, or its fields are not known
  occurrence_hash   bytea,
  FOREIGN KEY (run_id, row_number) REFERENCES erased_row
);
CREATE INDEX erased_trace_course ON erased_trace (environment, course_uuid);
CREATE INDEX erased_trace_erasure ON erased_trace (erasure_id);
CREATE INDEX erased_trace_row ON erased_trace (run_id, row_number) WHERE run_id IS NOT NULL;
CREATE INDEX erased_trace_completion ON erased_trace (completion_id) WHERE completion_id IS NOT NULL;

-- Every address, number and identity value of the record, and the record as a whole: an exact copy is recognized without a name.
CREATE TABLE erased_trace_identifier (
  hash     bytea NOT NULL,
  trace_id bigint NOT NULL REFERENCES erased_trace ON DELETE CASCADE,
  is_whole boolean NOT NULL,
  PRIMARY KEY (hash, trace_id)
);
CREATE INDEX erased_trace_identifier_trace ON erased_trace_identifier (trace_id);

-- The erasure of the person whom a row of a source names, and by what it was recognized if the person has no issuance: then the skipped row has
-- none either. Its completion is released with the person.
ALTER TABLE staged_row ADD COLUMN forgotten_by uuid REFERENCES erasure, ADD COLUMN forgotten_trace bigint;
ALTER TABLE erased_completion ADD COLUMN trace_id bigint REFERENCES erased_trace ON DELETE SET NULL;
CREATE INDEX erased_completion_trace ON erased_completion (trace_id) WHERE trace_id IS NOT NULL;
ALTER TABLE run_row DROP CONSTRAINT run_row_check,
  ADD CONSTRAINT run_row_names_issuance CHECK ((outcome = 'invalid') = (issuance_id IS NULL) OR (outcome = 'skipped' AND forgotten_at IS NOT NULL)) NOT VALID;
