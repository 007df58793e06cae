-- A call whose keys the service refused (401) has an outcome of its own. Calls of earlier versions keep 'refused', with the status 401.

ALTER TABLE attempt DROP CONSTRAINT attempt_outcome_check;
ALTER TABLE attempt ADD CONSTRAINT attempt_outcome_check
  CHECK (outcome IN ('not_sent', 'throttled', 'too_large', 'unauthorised', 'refused', 'accepted', 'unknown'));
