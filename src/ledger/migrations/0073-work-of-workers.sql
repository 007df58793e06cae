-- Which parts of the work a process does, as `start --only` names them: one that only serves the console reads no list. NULL: the process is of a
-- version that did not say.
ALTER TABLE worker ADD COLUMN work text[];
