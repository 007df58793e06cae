-- An outcome of which something that is wanted, such as the public link, is not there yet; since when a learning system is away; and whom a braked
-- run of completions would issue.

ALTER TABLE tell DROP CONSTRAINT tell_state_check;
ALTER TABLE tell ADD CONSTRAINT tell_state_check
  CHECK (state IN ('pending', 'written', 'verified', 'incomplete', 'drifted', 'failed'));
DROP INDEX tell_unfit;
CREATE INDEX tell_unfit ON tell (target, state) WHERE state IN ('incomplete', 'drifted', 'failed');

ALTER TABLE learning_system ADD COLUMN away_since timestamptz;   -- null while it answers
ALTER TABLE learning_system ADD COLUMN away_because text;        -- a sentence without values

-- What a run that the brake holds would make of a completion: it is left unsaid for one that was never held.
ALTER TABLE completion ADD COLUMN held_as text CHECK (held_as IN ('issue', 'known', 'invalid'));
