-- Probes: what was found out about a course by sending invented recipients.

-- The findings about one course. Nothing in them is personal.
CREATE TABLE course_probe (
  environment text NOT NULL CHECK (environment <> 'production'),  -- a probe issues credentials: never in production
  course_uuid uuid NOT NULL,
  probed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  findings    jsonb NOT NULL,
  PRIMARY KEY (environment, course_uuid)
);
