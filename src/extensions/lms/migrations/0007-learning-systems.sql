-- Learning systems: what they sent us, who completed what, and what became of each outcome that they are to show. None
-- of it touches an issuance: a learning system that does not work issues nobody twice.

-- An inbound event, stored as it came before it is answered, and processed afterwards.
CREATE TABLE inbound_event (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  system      text NOT NULL,
  key         bytea NOT NULL,               -- the same for an exact resend: a hash of the body, or of the sender's id
  digest      text,                         -- of the content, if the sender chose the id: a second event may differ
  voids       bytea,                        -- the key of the event that it declares void, which may still come
  arrived_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  headers     jsonb NOT NULL,               -- without those that authenticate the sender
  body        bytea,                        -- null once it is deleted
  -- strange: not understood. unclaimed: of a course that no pipeline names.
  state       text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'processed', 'unclaimed', 'strange')),
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),  -- later if the system could not be asked about it
  processed_at timestamptz,
  problem     text,                         -- why it is strange, what a new one waits for, or why nothing came of it
  UNIQUE (environment, system, key),
  CONSTRAINT inbound_event_problem_check CHECK (problem IS NOT NULL OR state <> 'strange')
);
COMMENT ON TABLE inbound_event IS
  'kept as long as the ledger; body and headers until retentionDays after it was processed (90 by default)';
COMMENT ON COLUMN inbound_event.body IS
  'personal: the event. Why: it is processed, and again after a fault was fixed. Forgotten: NULL.';
COMMENT ON COLUMN inbound_event.headers IS
  'personal: the headers of the request, without those that authenticate the sender. Why: signatures are checked with '
  'them. Forgotten: an empty object.';
COMMENT ON COLUMN inbound_event.key IS
  'pseudonymous: the same for an exact resend: a hash of the body, or of the id that the sender chose';
COMMENT ON COLUMN inbound_event.digest IS 'pseudonymous: hash of the content';
COMMENT ON COLUMN inbound_event.voids IS 'pseudonymous: the key of the event that it voids';
CREATE INDEX inbound_event_new ON inbound_event (environment, system, id) WHERE state = 'new';
CREATE INDEX inbound_event_strange ON inbound_event (environment, system, id) WHERE state = 'strange';
CREATE INDEX inbound_event_unclaimed ON inbound_event (environment, system, id)
  WHERE state = 'unclaimed' AND body IS NOT NULL;
-- Events that were understood and led to nothing.
CREATE INDEX inbound_event_left ON inbound_event (environment, system, id)
  WHERE state = 'processed' AND problem IS NOT NULL;
CREATE INDEX inbound_event_voids ON inbound_event (environment, system, voids) WHERE voids IS NOT NULL;
-- Events whose bodies are to be deleted.
CREATE INDEX inbound_event_settled ON inbound_event (environment, system, processed_at)
  WHERE state IN ('processed', 'unclaimed') AND body IS NOT NULL;

-- A learner completed a course, as reported by the system that is trusted with it.
CREATE TABLE completion (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment  text NOT NULL,
  system       text NOT NULL,
  pipeline     text NOT NULL,
  learner      text NOT NULL,               -- the system's own id of the learner where it has one, which never changes
  course       text NOT NULL,               -- as the pipeline names it
  completed_at timestamptz NOT NULL,
  found_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  found_by     text NOT NULL CHECK (found_by IN ('event', 'poll')),
  event_id     bigint REFERENCES inbound_event,  -- the event that was taken at its word
  cells        jsonb NOT NULL,              -- text by column: what becomes a row of a list
  -- same: reports an occasion once more. forgotten: emptied before it was in a published run; counts as known when it
  -- is reported again.
  state        text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'taken', 'same', 'forgotten')),
  occasion     timestamptz,                 -- of a renewal: what makes another credential legitimate
  run_id       uuid REFERENCES run,
  row_number   integer,
  held_as      text CHECK (held_as IN ('issue', 'known', 'invalid')),  -- what a run held by the brake makes of it
  refused_by   text,                        -- a hash of the rules by which its row is invalid
  compared_at  timestamptz,                 -- when these were last compared with the present rules
  CHECK ((state = 'taken') = (run_id IS NOT NULL)),
  -- Taken once, however often it is reported.
  UNIQUE (environment, pipeline, system, learner, completed_at)
);
COMMENT ON TABLE completion IS 'kept as long as the ledger; its personal data until they are forgotten';
COMMENT ON COLUMN completion.learner IS
  'personal: the id of the learner in the learning system, which may be an address. Why: a completion is taken once, '
  'and outcomes are delivered to the right learner. Forgotten: `forgotten:` and a keyed hash.';
COMMENT ON COLUMN completion.cells IS
  'personal: what the system says about the learner. Why: it becomes a row of a list. Forgotten: an empty object.';
CREATE INDEX completion_learner ON completion (environment, learner);
CREATE INDEX completion_ready ON completion (environment, pipeline, id) WHERE state = 'ready';
CREATE UNIQUE INDEX completion_run ON completion (run_id, row_number) WHERE run_id IS NOT NULL;
CREATE INDEX completion_refused ON completion (environment, pipeline, compared_at) WHERE refused_by IS NOT NULL;
CREATE INDEX completion_found ON completion (environment, pipeline, found_at);

-- When a learning system is polled and checked for drift, and what stands in the way.
CREATE TABLE learning_system (
  environment   text NOT NULL,
  system        text NOT NULL,
  watched       boolean NOT NULL DEFAULT true,  -- false once the configuration no longer has it
  due_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at      timestamptz,
  polled_at     timestamptz,                -- end of the last complete poll
  tries         integer NOT NULL DEFAULT 0,
  problem       text,
  away_since    timestamptz,                -- since when it is unavailable or refuses everything; null while it answers
  away_because  text,                       -- a sentence without values
  schedule      text,                       -- the setting by which the nightly times were calculated:
  sweep_at      timestamptz NOT NULL DEFAULT clock_timestamp(),  -- when all learners are polled
  swept_at      timestamptz,
  look_at       timestamptz,                -- when targets are checked for drift; null if none can be
  look_began_at timestamptz,                -- null while no check is under way
  look_asked_at timestamptz,
  PRIMARY KEY (environment, system)
);

-- One outcome to one target, written and read back.
CREATE TABLE delivery (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issuance_id bigint NOT NULL REFERENCES issuance,
  target      text NOT NULL,
  wanted      text NOT NULL CHECK (wanted IN ('issued', 'rejected', 'failed', 'held', 'revoked')),  -- the outcome
  -- verified: read back as written. incomplete: something that is wanted, such as the public link, is not there yet.
  -- drifted: the target shows something else. forgotten, account_deleted: what the target shows stays as it is.
  state       text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'written', 'verified', 'incomplete',
                                             'drifted', 'failed', 'forgotten', 'account_deleted')),
  tries       integer NOT NULL DEFAULT 0,
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  problem     text,
  refused     boolean NOT NULL DEFAULT false,  -- of a pending one: the target refuses until an operator acts
  gone        boolean NOT NULL DEFAULT false,  -- the target said that it takes nothing any more
  wanted_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  written_at  timestamptz,
  verified_at timestamptz,
  looked_at   timestamptz,                  -- when the target was last seen to show it, or to show something else
  UNIQUE (issuance_id, target)
);
COMMENT ON TABLE delivery IS 'kept as long as the ledger';
COMMENT ON COLUMN delivery.problem IS
  'personal: why it could not be delivered, which may quote the learning system (addresses and long numbers are '
  'masked, a name may be left). Why: `credsync events` shows it. Forgotten: NULL.';
CREATE INDEX delivery_due ON delivery (target, due_at) WHERE state = 'pending';
CREATE INDEX delivery_shown ON delivery (target, looked_at) WHERE state IN ('verified', 'drifted');
CREATE INDEX delivery_unfit ON delivery (target, state) WHERE state IN ('incomplete', 'drifted', 'failed');
CREATE INDEX delivery_refused ON delivery (issuance_id) WHERE state = 'pending' AND refused;
CREATE INDEX delivery_gone ON delivery (target) WHERE gone;
