-- Before the first list of a course is taken, the report is asked whether it shows anything of that course.

-- Of a course that this ledger neither sent to nor adopted: null until the report was asked.
ALTER TABLE course
  ADD COLUMN first_list       text CHECK (first_list IN ('clear', 'shown', 'approved', 'adopted')),
  ADD COLUMN first_list_shows text,   -- what the report showed, in a sentence
  ADD CHECK (first_list IS DISTINCT FROM 'shown' OR first_list_shows IS NOT NULL);

ALTER TABLE run
  ADD COLUMN shown         boolean NOT NULL DEFAULT false,   -- braked because of what the report shows of its course
  ADD COLUMN waits_because text,                             -- why it could not be read yet
  ADD COLUMN waits_since   timestamptz;
