-- A message that its recipient's server refuses for its content is sent once more in a short form. If that is refused, too, it is given up.

ALTER TABLE notice_message ADD COLUMN is_short boolean NOT NULL DEFAULT false;
ALTER TABLE notice_message ADD COLUMN given_up_at timestamptz;
DROP INDEX notice_message_pending;
CREATE UNIQUE INDEX notice_message_pending ON notice_message (environment, recipient) WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX notice_message_given_up ON notice_message (environment, recipient, given_up_at) WHERE given_up_at IS NOT NULL;
-- Old messages are deleted, which looks for what refers to them.
CREATE INDEX notice_change_message ON notice_change (message_id);
