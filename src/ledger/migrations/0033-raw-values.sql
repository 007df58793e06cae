-- What the cells of a workbook held that were no texts: [[column, value, number format], ...]. A results file gives them back as they were.
-- Null for a row of texts, for a CSV, and for rows of before.

ALTER TABLE staged_row ADD COLUMN raw jsonb;
ALTER TABLE run_row ADD COLUMN raw jsonb;
