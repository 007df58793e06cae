-- Deliveries that wait because of their course alone, those of courses that no pipeline names, and the end of their bodies.

ALTER TABLE delivery DROP CONSTRAINT delivery_state_check;
ALTER TABLE delivery ADD CONSTRAINT delivery_state_check CHECK (state IN ('new', 'judged', 'unclaimed', 'strange'));
-- A new one may say what it waits for.
ALTER TABLE delivery DROP CONSTRAINT delivery_check;
ALTER TABLE delivery ADD CONSTRAINT delivery_problem_check CHECK (problem IS NOT NULL OR state <> 'strange');
CREATE INDEX delivery_unclaimed ON delivery (environment, system, id) WHERE state = 'unclaimed' AND body IS NOT NULL;
-- Those whose bodies are to go.
CREATE INDEX delivery_settled ON delivery (environment, system, judged_at) WHERE state IN ('judged', 'unclaimed') AND body IS NOT NULL;

-- A completion whose row is invalid: by which rules (a hash), and when these were last compared with those of the present.
ALTER TABLE completion
  ADD COLUMN refused_by  text,
  ADD COLUMN compared_at timestamptz,
  ADD COLUMN delivery_id bigint REFERENCES delivery;   -- the event that was taken at its word for it
UPDATE completion c SET refused_by = '', compared_at = '-infinity'
  FROM run_row r WHERE r.run_id = c.run_id AND r.row_number = c.row_number AND r.outcome = 'invalid';
CREATE INDEX completion_refused ON completion (environment, pipeline, compared_at) WHERE refused_by IS NOT NULL;
