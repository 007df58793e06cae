-- Notices: what somebody must know or do, who was notified of it, and the messages that carry it. Times are those of the worker that looked.

-- Since when something is observed for notices: what happened before is not reported. `terms` are the settings that were in force.
CREATE TABLE notice_watch (
  environment text NOT NULL,
  subject     text NOT NULL,
  terms       text NOT NULL,
  since       timestamptz NOT NULL,
  PRIMARY KEY (environment, subject)
);

CREATE TABLE notice (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment  text NOT NULL,
  key          text NOT NULL,               -- what it is about; one open notice for each
  kind         text NOT NULL,
  pipeline     text,
  facts        jsonb NOT NULL,              -- counts, rules and sentences of ours, with no person in them
  since        timestamptz NOT NULL,        -- when it began
  opened_at    timestamptz NOT NULL,
  reminded_at  timestamptz NOT NULL,        -- when it was last opened or reminded of
  recovered_at timestamptz
);
CREATE UNIQUE INDEX notice_open ON notice (environment, key) WHERE recovered_at IS NULL;
CREATE INDEX notice_key ON notice (environment, key, opened_at);

-- A message to one recipient, as it was worded. Repeats have the same id.
CREATE TABLE notice_message (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  environment  text NOT NULL,
  recipient    text NOT NULL,
  words        jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  due_at       timestamptz NOT NULL,
  tries        integer NOT NULL DEFAULT 0,  -- in vain
  problem      text,                        -- why the last try failed, or what was not accepted of a delivered message
  failing_since timestamptz,
  delivered_at timestamptz
);
CREATE INDEX notice_message_recipient ON notice_message (environment, recipient, created_at);
CREATE UNIQUE INDEX notice_message_pending ON notice_message (environment, recipient) WHERE delivered_at IS NULL;

-- What a recipient is to read about a notice: at most one change of each waits for its message.
CREATE TABLE notice_change (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  notice_id  bigint NOT NULL REFERENCES notice,
  recipient  text NOT NULL,
  change     text NOT NULL CHECK (change IN ('opened', 'reminded', 'recovered')),
  facts      jsonb NOT NULL,
  at         timestamptz NOT NULL,
  message_id uuid REFERENCES notice_message
);
CREATE UNIQUE INDEX notice_change_waiting ON notice_change (notice_id, recipient) WHERE message_id IS NULL;
CREATE INDEX notice_change_notice ON notice_change (notice_id);

-- The last ping about the lists of a pipeline.
CREATE TABLE heartbeat_ping (
  environment text NOT NULL,
  pipeline    text NOT NULL,
  run_id      uuid,
  phase       text NOT NULL,
  PRIMARY KEY (environment, pipeline)
);

-- The class of the error, which tells refused keys from a service that does not answer.
ALTER TABLE obstacle ADD COLUMN error text;
