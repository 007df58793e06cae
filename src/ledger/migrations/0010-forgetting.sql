-- Forgetting: people whose data are emptied, because somebody asked for it or because the retention of their lists has
-- ended. What stays recognizes them without saying who they are, so that nobody is issued twice. Times are those of the
-- database.

-- People are forgotten. An erasure is written first and carried out afterwards, in steps that can be repeated.
CREATE TABLE erasure (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  environment    text NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('request', 'retention')),
  pipeline       text,                            -- whose retention has ended
  requested_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  requested_by   text NOT NULL,
  reason         text NOT NULL,
  revokes        boolean NOT NULL DEFAULT false,  -- the credentials are revoked first
  releases       boolean NOT NULL DEFAULT false,  -- the hashes go as well: a later list issues the person again
  recorded_at    timestamptz,                     -- when its line was written to the file outside the ledger
  events_to      bigint NOT NULL DEFAULT 0,       -- the stored events up to this one are searched
  event_found_at timestamptz,                     -- when one was last found that has to be waited for
  waits_for      text,                            -- what keeps it open: a sentence with ids only
  ended_at       timestamptz,
  CHECK ((kind = 'retention') = (pipeline IS NOT NULL))
);
COMMENT ON TABLE erasure IS 'kept as long as the ledger';
COMMENT ON COLUMN erasure.requested_by IS 'staff: who asked for it';
COMMENT ON COLUMN erasure.reason IS 'staff: why; an operator wrote it, and must not name the person';
CREATE INDEX erasure_open ON erasure (environment, requested_at) WHERE ended_at IS NULL;
-- The retention of a pipeline has one erasure a day.
CREATE UNIQUE INDEX erasure_of_day ON erasure (environment, pipeline, ((requested_at AT TIME ZONE 'UTC')::date))
  WHERE kind = 'retention';
CREATE TRIGGER erasure_is_kept BEFORE DELETE OR TRUNCATE ON erasure FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- An issuance of somebody who is forgotten.
CREATE TABLE erased_issuance (
  issuance_id bigint PRIMARY KEY REFERENCES issuance,
  erasure_id  uuid NOT NULL REFERENCES erasure,
  emptied_at  timestamptz,
  -- Says it for certain: a later erasure may revoke the credential of somebody who was released, and take the issuance.
  released_at timestamptz
);
CREATE INDEX erased_issuance_erasure ON erased_issuance (erasure_id);
CREATE INDEX erased_issuance_waiting ON erased_issuance (erasure_id, issuance_id) WHERE emptied_at IS NULL;

-- An invalid row of the person, or a skipped one, that has no issuance of its own.
CREATE TABLE erased_row (
  run_id     uuid NOT NULL,
  row_number integer NOT NULL,
  erasure_id uuid NOT NULL REFERENCES erasure,
  emptied_at timestamptz,
  PRIMARY KEY (run_id, row_number),
  FOREIGN KEY (run_id, row_number) REFERENCES run_row
);
CREATE INDEX erased_row_waiting ON erased_row (erasure_id) WHERE emptied_at IS NULL;

-- By what a later list of the course recognizes a person, besides the key of the issuance: made of each record when the
-- erasure is requested, while there is something to hash. One for each record.
CREATE TABLE erased_person (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  erasure_id    uuid NOT NULL REFERENCES erasure,
  environment   text NOT NULL,
  course_uuid   uuid NOT NULL,
  -- The record: an issuance, or a row that led to none.
  issuance_id   bigint UNIQUE REFERENCES erased_issuance,
  run_id        uuid,
  row_number    integer,
  name_hash     bytea,                -- null if the record had no name
  -- The fields that told people and occasions apart then. If they are the same now, a row with another key is another
  -- person or occasion of somebody whose data have expired. Null if they were not known.
  rule          text,
  UNIQUE (run_id, row_number),
  FOREIGN KEY (run_id, row_number) REFERENCES erased_row
);
COMMENT ON TABLE erased_person IS 'kept as long as the ledger, or until the person is released';
COMMENT ON COLUMN erased_person.name_hash IS 'pseudonymous: keyed hash of the folded name';
CREATE INDEX erased_person_course ON erased_person (environment, course_uuid);
CREATE INDEX erased_person_erasure ON erased_person (erasure_id);

-- An address, a number or the value of a single identity field.
CREATE TABLE erased_identifier (
  hash      bytea NOT NULL,
  person_id bigint NOT NULL REFERENCES erased_person ON DELETE CASCADE,
  PRIMARY KEY (hash, person_id)
);
COMMENT ON TABLE erased_identifier IS 'kept as long as the ledger, or until the person is released';
COMMENT ON COLUMN erased_identifier.hash IS 'pseudonymous: keyed hash of an address, number or identity value';
CREATE INDEX erased_identifier_person ON erased_identifier (person_id);

-- A run whose files show the person: they are written again once the rows are emptied.
CREATE TABLE erased_run (
  run_id     uuid NOT NULL REFERENCES run,
  erasure_id uuid NOT NULL REFERENCES erasure,
  cleaned_at timestamptz,
  PRIMARY KEY (erasure_id, run_id)
);
CREATE INDEX erased_run_waiting ON erased_run (run_id) WHERE cleaned_at IS NULL;

-- When the cells of a list were emptied because its retention had ended.
ALTER TABLE run ADD COLUMN expired_at timestamptz;
CREATE INDEX run_to_expire ON run (environment, pipeline, settled_at) WHERE expired_at IS NULL AND state = 'published';
-- An issuance of such a list. Its person is forgotten once every list that names the person is that old. Until that is
-- certain the issuance waits here, because most people live on in newer lists.
CREATE TABLE expiring_issuance (
  issuance_id bigint PRIMARY KEY REFERENCES issuance,
  looked_at   timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX expiring_issuance_next ON expiring_issuance (looked_at, issuance_id);

-- When the cells of a row were emptied for an erasure: the row keeps its place in the results.
ALTER TABLE run_row ADD COLUMN forgotten_at timestamptz;
CREATE INDEX run_row_forgotten ON run_row (run_id) WHERE forgotten_at IS NOT NULL;

-- A row of a source that names somebody who is forgotten is skipped, and its data are not kept.
ALTER TABLE staged_row
  ADD COLUMN forgotten_person bigint;  -- as whom it was recognized (erased_person)

-- A row that waits is withdrawn for ever when its person is forgotten.
INSERT INTO lifecycle_step VALUES ('pending', 'failed');
-- One that was under way and is to be sent again is not sent: it is out of sight until it is withdrawn.
CREATE FUNCTION hold_back_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = NEW.id) THEN
    NEW.due_at := 'infinity';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER issuance_is_held_back BEFORE UPDATE OF state ON issuance FOR EACH ROW
  WHEN (NEW.state = 'pending' AND OLD.state <> 'pending') EXECUTE FUNCTION hold_back_forgotten();

-- The history stays append-only, except for the evidence about a person who is forgotten. From the evidence about
-- others two things may go while an erasure is open: the person's number as a learner, and words of the service that
-- quote the person.
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.issuance_id, NEW.at, NEW.event, NEW.from_state, NEW.to_state, NEW.attempt_id)
      IS DISTINCT FROM (OLD.id, OLD.issuance_id, OLD.at, OLD.event, OLD.from_state, OLD.to_state, OLD.attempt_id)
    OR NOT (EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = OLD.issuance_id)
      OR (OLD.evidence @> NEW.evidence AND NEW.evidence @> OLD.evidence - ARRAY['other', 'words']
          AND EXISTS (SELECT FROM erasure WHERE ended_at IS NULL)))
  THEN
    RAISE EXCEPTION 'the history is append-only; only the evidence about a person who is forgotten may be emptied'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER history_is_append_only ON history;
CREATE TRIGGER history_is_append_only BEFORE DELETE OR TRUNCATE ON history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER history_is_kept BEFORE UPDATE ON history FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- An issuance gives its key up in two cases: it is revoked and another one takes its place, or its person was forgotten
-- and released.
CREATE OR REPLACE FUNCTION check_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.issuance_key <> superseded_key(OLD.issuance_key, OLD.id) OR NOT (
    EXISTS (
      SELECT FROM revocation r
      WHERE r.issuance_id = OLD.id AND r.state IN ('accepted', 'seen') AND r.correction IS NOT NULL)
    OR EXISTS (
      SELECT FROM erased_issuance e JOIN erasure ON erasure.id = e.erasure_id
      WHERE e.issuance_id = OLD.id AND erasure.releases))
  THEN
    RAISE EXCEPTION 'an issuance keeps its key for ever, unless it is revoked and corrected, '
      'or its person is forgotten and released' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- The planner keeps samples of values, which would outlive the data of a person who is forgotten, so columns with
-- personal data have none. No plan needs them: such columns are read, and hardly searched
-- (docs/decisions/0080-forgotten-by-id.md#0085).
CREATE FUNCTION keep_out_of_statistics() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  personal record;
BEGIN
  FOR personal IN
    SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'credsync'::regnamespace AND coalesce(a.attstattarget, -1) <> 0
      AND col_description(c.oid, a.attnum) LIKE 'personal:%'
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', personal.relname, personal.attname);
  END LOOP;
END $$;
