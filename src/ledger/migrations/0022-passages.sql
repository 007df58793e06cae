-- Every passage through a door, of batches and of revocations, counted in the order of their commits. A mark outside the ledger names the last
-- one (src/mark): a ledger that does not know it has been set back, or is not the ledger that it was.

CREATE TABLE door (
  environment text PRIMARY KEY,
  passed      bigint NOT NULL DEFAULT 0,
  era         integer NOT NULL DEFAULT 0,      -- raised by a person's word: marks of an earlier era do not count any more
  stopped     boolean NOT NULL DEFAULT false   -- nobody passes
);

CREATE TABLE passage (
  environment   text NOT NULL,
  number        bigint NOT NULL,
  token         uuid NOT NULL DEFAULT gen_random_uuid(),   -- after a set-back the number comes again, and the token does not
  era           integer NOT NULL,
  attempt_id    bigint REFERENCES attempt,
  revocation_id bigint REFERENCES revocation,
  at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, number)
);

-- Why nothing is sent, since when, and whose word ended it. Kept for ever.
CREATE TABLE sending_stop (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  since       timestamptz NOT NULL DEFAULT clock_timestamp(),
  reason      text NOT NULL,
  ended_at    timestamptz,
  ended_by    text,
  ended_why   text
);
CREATE UNIQUE INDEX sending_stop_one_open ON sending_stop (environment) WHERE ended_at IS NULL;
CREATE TRIGGER sending_stop_is_kept BEFORE DELETE OR TRUNCATE ON sending_stop FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
