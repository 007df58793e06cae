-- Which worker runs, for people who look for it, and with which settings. One row for each environment, of the worker that began last. It is
-- alive while its backend holds the worker's lock; null where workers hold none.
CREATE TABLE worker (
  environment   text PRIMARY KEY,
  host          text NOT NULL,
  pid           integer NOT NULL,
  configuration text NOT NULL,  -- a hash of its settings
  backend       integer,
  started_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
