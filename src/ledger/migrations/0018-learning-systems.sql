-- Learning systems: what they delivered, who completed what by their account, and what they were told of the outcome.

-- One row for each delivery, as it came: stored before it is answered, judged afterwards.
CREATE TABLE delivery (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  system      text NOT NULL,                -- the name of the configuration
  key         bytea NOT NULL,               -- of an exact resend it is the same
  arrived_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  headers     jsonb NOT NULL,               -- without what proves who sent it
  digest      text,                         -- where the key is an id that the sender chose: whether two with one id are the same
  body        bytea,                        -- personal data
  state       text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'judged', 'strange')),
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(), -- not judged before: whoever knows could not be asked
  judged_at   timestamptz,
  problem     text,                         -- why it is strange: a sentence without values
  UNIQUE (environment, system, key),
  CHECK ((state = 'strange') = (problem IS NOT NULL))
);
CREATE INDEX delivery_new ON delivery (environment, system, id) WHERE state = 'new';
CREATE INDEX delivery_strange ON delivery (environment, system, id) WHERE state = 'strange';

-- A learner completed a course, by the account of the system that is believed (another one's event is only a hint to ask it).
CREATE TABLE completion (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment  text NOT NULL,
  system       text NOT NULL,
  pipeline     text NOT NULL,
  learner      text NOT NULL,               -- how the system names the learner, for ever: its own id where it has one
  course       text NOT NULL,               -- as the pipeline names it
  completed_at timestamptz NOT NULL,
  heard_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  heard_by     text NOT NULL CHECK (heard_by IN ('event', 'poll')),
  cells        jsonb NOT NULL,              -- column to text; personal data
  state        text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'taken', 'same')),
  occasion     timestamptz,                 -- of a renewal: what makes a second credential legitimate. Null for the first
  run_id       uuid REFERENCES run,
  row_number   integer,
  CHECK ((state = 'taken') = (run_id IS NOT NULL)),
  UNIQUE (environment, pipeline, system, learner, completed_at)
);
CREATE INDEX completion_learner ON completion (environment, learner);
CREATE INDEX completion_ready ON completion (environment, pipeline, id) WHERE state = 'ready';
CREATE UNIQUE INDEX completion_run ON completion (run_id, row_number) WHERE run_id IS NOT NULL;

-- When each system is asked for everything, and what stands in the way.
CREATE TABLE learning_system (
  environment text NOT NULL,
  system      text NOT NULL,
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  sweep_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at    timestamptz,
  tries       integer NOT NULL DEFAULT 0,   -- in vain, in a row
  problem     text,
  polled_at   timestamptz,
  swept_at    timestamptz,                  -- when everybody was last asked about
  watched     boolean NOT NULL DEFAULT true,
  PRIMARY KEY (environment, system)
);

-- What one target is told of one credential. Its tries never touch the issuance: a broken learning system issues nobody twice.
CREATE TABLE tell (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issuance_id bigint NOT NULL REFERENCES issuance,
  target      text NOT NULL,
  wanted      text NOT NULL CHECK (wanted IN ('issued', 'rejected', 'failed', 'held', 'revoked')),
  state       text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'written', 'verified', 'drifted', 'failed')),
  tries       integer NOT NULL DEFAULT 0,
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  problem     text,
  wanted_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  written_at  timestamptz,
  verified_at timestamptz,
  looked_at   timestamptz,                  -- when it was last seen there, or seen to be another
  gone        boolean NOT NULL DEFAULT false, -- the target said that it takes nothing any more
  UNIQUE (issuance_id, target)
);
CREATE INDEX tell_due ON tell (target, due_at) WHERE state = 'pending';
CREATE INDEX tell_shown ON tell (target, looked_at) WHERE state IN ('verified', 'drifted');
CREATE INDEX tell_unfit ON tell (target, state) WHERE state IN ('drifted', 'failed');
CREATE INDEX tell_gone ON tell (target) WHERE gone;
