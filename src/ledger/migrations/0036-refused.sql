-- An outcome that its target refused until a person gives what is missing; and when profiles are looked back at, apart from the question who completed.

ALTER TABLE tell ADD COLUMN refused boolean NOT NULL DEFAULT false;   -- of one that is pending: by the last try at its target

ALTER TABLE learning_system
  ADD COLUMN schedule text,                   -- the times of the night by which the two below were reckoned
  ADD COLUMN look_at timestamptz,             -- null where there is nothing to look back at
  ADD COLUMN look_began_at timestamptz,       -- null while none is under way
  ADD COLUMN look_asked_at timestamptz;
