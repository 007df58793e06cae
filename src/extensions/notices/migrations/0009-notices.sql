-- Notices: what somebody must know or do, who was notified of it, and the messages that say it. Times are those of the
-- worker that looked.

-- Something that somebody must know or do, with a life: opened, reminded of, then recovered or withdrawn.
CREATE TABLE notice (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment  text NOT NULL,
  key          text NOT NULL,               -- what it is about
  kind         text NOT NULL,
  pipeline     text,
  facts        jsonb NOT NULL,              -- counts, rules and sentences of ours that name no person
  since        timestamptz NOT NULL,        -- when what it is about began
  opened_at    timestamptz NOT NULL,
  reminded_at  timestamptz NOT NULL,        -- when it was last opened or reminded of
  recovered_at timestamptz                  -- when it ended, recovered or withdrawn
);
CREATE UNIQUE INDEX notice_open ON notice (environment, key) WHERE recovered_at IS NULL;
CREATE INDEX notice_key ON notice (environment, key, opened_at);

-- A message to one recipient of `notify`, as it was worded. A repeat has the same id.
CREATE TABLE notice_message (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  environment   text NOT NULL,
  recipient     text NOT NULL,
  words         jsonb NOT NULL,
  created_at    timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  tries         integer NOT NULL DEFAULT 0,
  problem       text,                        -- why the last try failed, or what was not accepted of a delivered message
  failing_since timestamptz,
  is_short      boolean NOT NULL DEFAULT false,  -- sent once more in a short form, because its content was refused
  delivered_at  timestamptz,
  given_up_at   timestamptz                  -- when the short form was refused as well
);
COMMENT ON TABLE notice_message IS 'kept 90 days';
COMMENT ON COLUMN notice_message.recipient IS 'staff: the address of a member of the staff, or the name of a hook';
CREATE INDEX notice_message_recipient ON notice_message (environment, recipient, created_at);
-- One message at a time for a recipient: changes that come meanwhile wait for the next one.
CREATE UNIQUE INDEX notice_message_pending ON notice_message (environment, recipient)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX notice_message_given_up ON notice_message (environment, recipient, given_up_at)
  WHERE given_up_at IS NOT NULL;

-- A step in the life of a notice that a recipient is to read.
CREATE TABLE notice_change (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  notice_id  bigint NOT NULL REFERENCES notice,
  recipient  text NOT NULL,
  -- withdrawn: nobody watches any more what the notice was about, and nobody reads that all is well.
  change     text NOT NULL CHECK (change IN ('opened', 'reminded', 'recovered', 'withdrawn')),
  facts      jsonb NOT NULL,
  at         timestamptz NOT NULL,
  message_id uuid REFERENCES notice_message  -- null while it waits for a message
);
COMMENT ON TABLE notice_change IS 'kept as the notice';
COMMENT ON COLUMN notice_change.recipient IS 'staff: the address of a member of the staff, or the name of a hook';
-- At most one change of a notice waits for each recipient.
CREATE UNIQUE INDEX notice_change_waiting ON notice_change (notice_id, recipient) WHERE message_id IS NULL;
CREATE INDEX notice_change_notice ON notice_change (notice_id);
-- For deleting old messages, which looks for what refers to them.
CREATE INDEX notice_change_message ON notice_change (message_id);

-- Since when something is watched for somebody: what happened before is not reported.
CREATE TABLE notice_watch (
  environment text NOT NULL,
  subject     text NOT NULL,
  terms       text NOT NULL,                -- the settings that were in force
  since       timestamptz NOT NULL,
  PRIMARY KEY (environment, subject)
);

-- What was reported of a list. Each list that is refused is reported, whatever came before it or after it
-- (docs/decisions/0070-notices-without-a-queue.md#0087).
ALTER TABLE run
  ADD COLUMN refusal_noted_at timestamptz,  -- when recipients were notified that it was refused
  ADD COLUMN summarized_at    timestamptz;  -- when its last summary was made

-- What notices are decided from is found by indexes and times, so that looking every few seconds costs as much in a
-- ledger of years as in a new one.
CREATE INDEX run_refused ON run (environment, settled_at) WHERE state = 'refused' AND refusal_noted_at IS NULL;
CREATE INDEX run_to_summarize ON run (environment, received_at)
  WHERE summarized_at IS NULL AND state = 'published' AND adopts IS NULL AND corrects IS NULL;
CREATE INDEX write_back_due ON write_back (run_id) WHERE written < wanted;
CREATE INDEX revocation_to_decide ON revocation (environment, wanted_at)
  WHERE doubt IS NOT NULL OR state IN ('refused', 'not_applied');
