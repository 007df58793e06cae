-- Attempts and claims: what is sent, in which batches, and why it is sent only once.

-- What is known about a course of the service: what its calls have shown, and whether it waits.
CREATE TABLE course (
  environment      text NOT NULL,
  course_uuid      uuid NOT NULL,
  certificate_name text,                  -- what the report calls the course; learned, never configured
  batch_limit      integer,               -- the size that worked after the service had called a batch too large
  canary_since     timestamptz NOT NULL DEFAULT '-infinity',  -- single rows are sent until a later call was accepted
  paused_until     timestamptz,           -- nothing is sent before
  paused_since     timestamptz,           -- the first of several pauses for the same reason, without a gap
  pause_reason     text,
  paused_after_trouble boolean NOT NULL DEFAULT false,  -- calls were refused or their outcome is unknown
  trouble_level    integer NOT NULL DEFAULT 0,  -- such pauses in a row: each one is longer
  -- What the report showed before the first list of a course that this ledger had neither sent to nor adopted: nothing
  -- (clear), or credentials (shown), until an operator approves or adopts. Null: the report was not asked.
  first_list       text CHECK (first_list IN ('clear', 'shown', 'approved', 'adopted')),
  first_list_shows text,                  -- what it showed, as a sentence
  PRIMARY KEY (environment, course_uuid),
  CHECK (first_list IS DISTINCT FROM 'shown' OR first_list_shows IS NOT NULL)
);

-- One call with one batch, from the moment it is prepared. It goes from prepared to sending once, by a claim, or never;
-- it is dropped if its rows must not be sent after all.
CREATE TABLE attempt (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment    text NOT NULL,
  course_uuid    uuid NOT NULL,
  pipeline       text NOT NULL,
  phase          text NOT NULL DEFAULT 'prepared' CHECK (phase IN ('prepared', 'sending', 'ended', 'dropped')),
  size           integer NOT NULL,       -- of the batch
  prepared_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at       timestamptz,
  sending_at     timestamptz,            -- when it was claimed
  deadline_at    timestamptz,            -- when its call is over at the latest; without an outcome by then it is lost
  instance       uuid,                   -- the process that claimed it
  request_sha256 text,
  ended_at       timestamptz,
  outcome        text CHECK (outcome IN ('not_sent', 'throttled', 'too_large', 'unauthorised', 'refused', 'accepted',
                                         'unknown')),
  http_status    integer,
  error_code     text,
  words          text,                   -- what the service wrote
  shown_at       timestamptz             -- when the report first showed a row of it: the call certainly arrived
);
COMMENT ON TABLE attempt IS 'kept as long as the ledger';
COMMENT ON COLUMN attempt.words IS
  'personal: what the service wrote about the batch (addresses and long numbers are masked, a name may be left). Why: '
  '`credsync explain` shows it. Forgotten: NULL; the others of the batch keep it in their history, unless it quotes '
  'the person.';
COMMENT ON COLUMN attempt.request_sha256 IS 'pseudonymous: hash of the request';
CREATE INDEX attempt_open ON attempt (environment, phase) WHERE phase IN ('prepared', 'sending');
CREATE INDEX attempt_accepted ON attempt (environment, course_uuid, sending_at) WHERE outcome = 'accepted';

-- An issuance in the batch of an attempt. It stays when the issuance has left for another attempt.
CREATE TABLE attempt_item (
  attempt_id  bigint NOT NULL REFERENCES attempt,
  issuance_id bigint NOT NULL REFERENCES issuance,
  position    integer NOT NULL,          -- in the request
  PRIMARY KEY (attempt_id, issuance_id)
);
CREATE INDEX attempt_item_issuance ON attempt_item (issuance_id);

-- The counter of all claims of an environment, of batches and of revocations, in the order of their commits. The
-- high-water mark outside the ledger names the last one: a ledger that does not contain it was rolled back, or is
-- another ledger.
CREATE TABLE claim_counter (
  environment  text PRIMARY KEY,
  number       bigint NOT NULL DEFAULT 0,      -- of the last claim
  -- The tokens of the last claim and of the one before it. A claim that waited for another one cannot see the row of
  -- that one in `claim` in the same statement, and so could not name it.
  token        uuid,
  token_before uuid,
  era          integer NOT NULL DEFAULT 0,     -- raised by an operator: marks of earlier eras no longer count
  stopped      boolean NOT NULL DEFAULT false  -- nothing is claimed while sending is stopped
);

-- One claim: the call that it allows may be made once, by the process that committed it.
CREATE TABLE claim (
  environment text NOT NULL,
  number      bigint NOT NULL,
  token       uuid NOT NULL DEFAULT gen_random_uuid(),  -- after a rollback the number comes again, the token does not
  era         integer NOT NULL,
  attempt_id  bigint REFERENCES attempt,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, number)
);

-- Why and since when nothing is sent, and who ended that. Kept for ever.
CREATE TABLE sending_stop (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  since       timestamptz NOT NULL DEFAULT clock_timestamp(),
  reason      text NOT NULL,
  ended_at    timestamptz,
  ended_by    text,
  ended_why   text
);
COMMENT ON TABLE sending_stop IS 'kept as long as the ledger';
COMMENT ON COLUMN sending_stop.ended_by IS 'staff: who ended it';
COMMENT ON COLUMN sending_stop.ended_why IS 'staff: why; an operator wrote it';
CREATE UNIQUE INDEX sending_stop_one_open ON sending_stop (environment) WHERE ended_at IS NULL;
CREATE TRIGGER sending_stop_is_kept BEFORE DELETE OR TRUNCATE ON sending_stop
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
