-- The pauses of a course after trouble grow: how many there were in a row, since when it waits, and whether it waits for that reason.
ALTER TABLE course
  ADD COLUMN trouble_level integer NOT NULL DEFAULT 0,
  ADD COLUMN paused_since timestamptz,
  ADD COLUMN paused_after_trouble boolean NOT NULL DEFAULT false;
UPDATE course SET paused_since = clock_timestamp() WHERE paused_until > clock_timestamp();
