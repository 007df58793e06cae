-- Completions of people who are forgotten.

CREATE TABLE erased_completion (
  completion_id bigint PRIMARY KEY REFERENCES completion,
  erasure_id    uuid NOT NULL REFERENCES erasure,
  emptied_at    timestamptz,
  -- As whom a learner was recognized who was reported later: the completion is released with that person.
  person_id     bigint REFERENCES erased_person ON DELETE SET NULL
);
CREATE INDEX erased_completion_waiting ON erased_completion (erasure_id) WHERE emptied_at IS NULL;
CREATE INDEX erased_completion_person ON erased_completion (person_id) WHERE person_id IS NOT NULL;

-- The record of a person may be a completion that led to no issuance.
ALTER TABLE erased_person ADD COLUMN completion_id bigint UNIQUE REFERENCES erased_completion;
