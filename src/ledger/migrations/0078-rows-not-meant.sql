-- A row that the pipeline's setting where leaves out is skipped, and names no issuance. Its reason goes with its cells.
ALTER TABLE run_row DROP CONSTRAINT run_row_names_issuance,
  ADD CONSTRAINT run_row_names_issuance CHECK ((outcome = 'invalid') = (issuance_id IS NULL)
    OR (outcome = 'skipped' AND (cells = '[]' OR starts_with(reason, 'not meant')))) NOT VALID;
