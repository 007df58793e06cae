-- A completion that was forgotten before it was in a published run. It counts as known when it is reported again; a
-- repetition (`same`) does not, whether it was emptied or not.
ALTER TABLE completion DROP CONSTRAINT completion_state_check;
ALTER TABLE completion ADD CONSTRAINT completion_state_check CHECK (state IN ('ready', 'taken', 'same', 'forgotten'));
-- Nothing says any more which of these were repetitions.
UPDATE completion SET state = 'forgotten' WHERE state = 'same' AND starts_with(learner, 'forgotten:');
