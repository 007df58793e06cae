-- That the report has shown a row of a call stays known, whatever becomes of that row's claim: the call has arrived.
ALTER TABLE attempt ADD COLUMN shown_at timestamptz;
UPDATE attempt a SET shown_at = clock_timestamp()
WHERE EXISTS (SELECT FROM attempt_item t JOIN claim c ON c.issuance_id = t.issuance_id WHERE t.attempt_id = a.id);

-- Looks by which absence is proven: those in which something sent later and accepted was visible.
ALTER TABLE issuance ADD COLUMN controlled_looks integer NOT NULL DEFAULT 0;
