-- What keeps a worker from its work, for people who wait in another process. No story reads it. One row for each kind of work; it says nothing
-- any more once such work was done since, or when nobody has met it for a while.
CREATE TABLE obstacle (
  environment text NOT NULL,
  subject     text NOT NULL,
  detail      text NOT NULL,             -- a sentence of ours, with no person in it
  since       timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  until       timestamptz,               -- when it is over by itself, where that is known
  PRIMARY KEY (environment, subject)
);
