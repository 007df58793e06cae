-- How a list differs from what the ledger knows, and runs that the brake holds until a person decides.

ALTER TABLE run DROP CONSTRAINT run_state_check;
ALTER TABLE run ADD CONSTRAINT run_state_check CHECK (state IN ('received', 'published', 'refused', 'braked'));

ALTER TABLE run
  ADD COLUMN known          integer NOT NULL DEFAULT 0,  -- skipped, and the data are the same
  ADD COLUMN changed        integer NOT NULL DEFAULT 0,  -- skipped, and the data are not the same
  ADD COLUMN gone           integer NOT NULL DEFAULT 0,  -- people of the list before this one who are not in it
  ADD COLUMN last_list      uuid REFERENCES run,         -- the list before this one
  ADD COLUMN braked_at      timestamptz,
  ADD COLUMN would_accept   integer,                     -- what it would have issued when it was braked
  ADD COLUMN usual          integer,                     -- the pipeline's usual size then; null where it has none yet
  ADD COLUMN braked_because text,
  ADD COLUMN approved_at    timestamptz,
  ADD COLUMN approved_by    text,
  ADD COLUMN approved_why   text,
  ADD COLUMN rejected_at    timestamptz,
  ADD COLUMN rejected_by    text,
  ADD COLUMN rejected_why   text,
  ADD CHECK (state <> 'braked' OR (braked_at IS NOT NULL AND would_accept IS NOT NULL AND braked_because IS NOT NULL));

-- Names of the fields that a skipped row fills otherwise than the credential that is known; never their values.
ALTER TABLE run_row
  ADD COLUMN changed_fields jsonb,
  ADD CHECK (changed_fields IS NULL OR outcome = 'skipped');

-- Last, for a table with waiting triggers cannot be altered. Until now a row with another name was invalid, and other data were not looked at.
UPDATE run SET known = skipped WHERE skipped > 0;
