-- The ledger itself, and the processes that work on it. The ledger is the truth about every recipient that was ever
-- handed over: the queues are a to-do list and may be lost, the ledger may not.
--
-- These files are the documentation of the tables. Their words are those of docs/glossary.md. Each file is one part;
-- those from 0007 on belong to features beside the core, and also hold what such a feature adds to the tables of the
-- core. src/ledger/migrate.ts applies the files in order, with the schema `credsync` first on the search path, and
-- creates the table `migration` in which it records them.
--
-- What columns say about people is a COMMENT ON COLUMN, and how long it is kept a COMMENT ON TABLE. docs/privacy.md
-- shows both, and a test finds columns that lack one. `personal` identifies or describes a recipient. `pseudonymous`
-- leads to one only together with other data, and stays. `staff` is about operators, and stays as the record of who
-- decided.
--
-- Columns that mean the same in every table:
--   environment       which environment of the service it concerns: the configuration runs in one
--   pipeline, system, target   names from the configuration
--   due_at            nothing is done about the row before
--   asked_at          when a job for the row was last put into a queue; if nothing came of it, the sweep adds another
--   problem           why it does not work, as a sentence for people; null while it works
--   tries             failed tries in a row

-- Refuses what a trigger calls it for: rows that nobody may change or delete.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: it is kept for ever', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- The identity of this ledger, in one row that is written when it is created.
CREATE TABLE ledger (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id         uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The key of all hashes of people, which are useless to anybody who does not have it. A ledger that has lost it
  -- recognizes no one. Null if it is kept outside the database; what recognizes it is here in either case.
  hash_key   bytea CHECK (length(hash_key) = 32),
  key_check  bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The environment to which an address of the service belongs. It never changes: what was used as production cannot be
-- used as development because of a slip in a configuration file.
CREATE TABLE service_address (
  base_url    text PRIMARY KEY,
  environment text NOT NULL,
  first_used  timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A process that works on the ledger, so that people and other processes can see it. It is alive while its database
-- session holds its lock. Workers that share a Redis have a lock each; without Redis they have one in common, which
-- makes one of them the only worker.
CREATE TABLE worker (
  environment   text NOT NULL,
  lock          text NOT NULL DEFAULT 'worker',
  host          text NOT NULL,
  pid           integer NOT NULL,
  configuration text NOT NULL,    -- a hash of its settings, which should be the same for all workers
  work          text[],           -- the parts of the work that it does, as `start --only` names them; null: not said
  store         text,             -- the id of its queues: workers with different queues would not share the rate limit
  backend       integer NOT NULL, -- PostgreSQL's process of the session that holds the lock
  started_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When it last showed a sign of life. It counts as dead once it is silent and its lock is gone: a process that hangs
  -- keeps its lock, and one whose session was cut still shows signs of life through other sessions.
  seen_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, lock)
);
COMMENT ON TABLE worker IS 'kept while it runs';
COMMENT ON COLUMN worker.host IS 'staff: the name of the computer';
COMMENT ON COLUMN worker.pid IS 'staff: the number of the process';

-- What keeps a worker from one kind of work, recorded so that a process that waits for it can show it. Nothing is
-- decided by it. It is void once such work was done later, or when no worker has met it for a while.
CREATE TABLE obstacle (
  environment text NOT NULL,
  subject     text NOT NULL,  -- the kind of work
  detail      text NOT NULL,  -- a sentence of ours that names no person
  error       text,           -- the class of the error: a refused key is not a service that does not answer
  since       timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  until       timestamptz,    -- when it ends by itself, if that is known
  PRIMARY KEY (environment, subject)
);
