-- Outcomes of learners whose account was deleted, and events that were understood and lead to nothing: neither needs a person.
ALTER TABLE tell DROP CONSTRAINT tell_state_check;
ALTER TABLE tell ADD CONSTRAINT tell_state_check
  CHECK (state IN ('pending', 'written', 'verified', 'incomplete', 'drifted', 'failed', 'forgotten', 'account_deleted'));
CREATE INDEX delivery_left ON delivery (environment, system, id) WHERE state = 'judged' AND problem IS NOT NULL;
