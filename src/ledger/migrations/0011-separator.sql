-- What stood between the cells of a CSV source, so that its results come back in columns where it does; null for a workbook, and for runs
-- of earlier versions.
ALTER TABLE run ADD COLUMN separator text;
