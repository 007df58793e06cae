-- Erasures: people whose data are emptied, because they asked for it or because the retention of their list has ended.
-- What stays recognizes them without saying who they are, so that nobody is issued twice.

-- Times are those of the database. An erasure is written first and carried out afterwards, in steps that can be repeated.
CREATE TABLE erasure (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  environment  text NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('request', 'retention')),
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  requested_by text NOT NULL,
  reason       text NOT NULL,
  revokes      boolean NOT NULL DEFAULT false,   -- the credentials are revoked first
  releases     boolean NOT NULL DEFAULT false,   -- the hashes go as well: a later list issues the person again
  recorded_at  timestamptz,                      -- when its line was written to the file outside the ledger
  events_at    timestamptz,                      -- when the bodies of inbound events were last searched for its people
  events_wait  boolean NOT NULL DEFAULT false,   -- whether one of these events keeps it open
  waits_for    text,                             -- what keeps it open: a sentence with ids only
  ended_at     timestamptz
);
CREATE INDEX erasure_open ON erasure (environment, requested_at) WHERE ended_at IS NULL;
CREATE TRIGGER erasure_is_kept BEFORE DELETE OR TRUNCATE ON erasure FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The issuances of the person. The hashes are made when the erasure is requested, as long as there is something to hash.
CREATE TABLE erased_issuance (
  issuance_id     bigint PRIMARY KEY REFERENCES issuance,
  erasure_id      uuid NOT NULL REFERENCES erasure,
  identity_fields text[] NOT NULL,   -- by which the pipeline identified people then; empty for the field that the Primary Value names
  name_hash       bytea,             -- null if the record had no name, or the hashes were released
  occurrence_hash bytea,             -- null if the pipeline has no occurrence fields, or the hashes were released
  emptied_at      timestamptz
);
CREATE INDEX erased_issuance_erasure ON erased_issuance (erasure_id);
CREATE INDEX erased_issuance_waiting ON erased_issuance (erasure_id, issuance_id) WHERE emptied_at IS NULL;

-- Every address, number and identity value of the person.
CREATE TABLE erased_identifier (
  hash        bytea NOT NULL,
  issuance_id bigint NOT NULL REFERENCES erased_issuance,
  PRIMARY KEY (hash, issuance_id)
);
CREATE INDEX erased_identifier_issuance ON erased_identifier (issuance_id);

-- Invalid rows, completions and bodies of inbound events of the person, which have no issuance of their own.
CREATE TABLE erased_row (
  run_id     uuid NOT NULL,
  row_number integer NOT NULL,
  erasure_id uuid NOT NULL REFERENCES erasure,
  emptied_at timestamptz,
  PRIMARY KEY (run_id, row_number),
  FOREIGN KEY (run_id, row_number) REFERENCES run_row
);
CREATE INDEX erased_row_waiting ON erased_row (erasure_id) WHERE emptied_at IS NULL;
CREATE TABLE erased_completion (
  completion_id bigint PRIMARY KEY REFERENCES completion,
  erasure_id    uuid NOT NULL REFERENCES erasure,
  emptied_at    timestamptz
);
CREATE INDEX erased_completion_waiting ON erased_completion (erasure_id) WHERE emptied_at IS NULL;

-- The runs whose files show the person: they are written again without the person once the rows are emptied.
CREATE TABLE erased_run (
  run_id     uuid NOT NULL REFERENCES run,
  erasure_id uuid NOT NULL REFERENCES erasure,
  cleaned_at timestamptz,
  PRIMARY KEY (erasure_id, run_id)
);
CREATE INDEX erased_run_waiting ON erased_run (run_id) WHERE cleaned_at IS NULL;

-- When the file of an archived certificate was removed, for an erasure or because it was kept long enough. It is not fetched again.
ALTER TABLE archived_certificate ADD COLUMN removed_at timestamptz;
CREATE INDEX archived_certificate_kept ON archived_certificate (kept_at) WHERE file IS NOT NULL AND removed_at IS NULL;

-- When the cells of a row were emptied for an erasure: the row keeps its place in the results.
ALTER TABLE run_row ADD COLUMN forgotten_at timestamptz;
CREATE INDEX run_row_forgotten ON run_row (run_id) WHERE forgotten_at IS NOT NULL;
-- The issuance of the forgotten person whom a row of a source names: the row is skipped, and its data are not kept.
ALTER TABLE staged_row ADD COLUMN forgotten_as bigint REFERENCES issuance;

-- What a target was told of a forgotten person stays there, and is neither looked at nor told again.
ALTER TABLE tell DROP CONSTRAINT tell_state_check;
ALTER TABLE tell ADD CONSTRAINT tell_state_check
  CHECK (state IN ('pending', 'written', 'verified', 'incomplete', 'drifted', 'failed', 'forgotten'));

-- A row that waits is withdrawn for ever when its person is forgotten.
INSERT INTO lifecycle_step VALUES ('pending', 'failed');

-- A row that was under way and is to be sent again stays out of sight until it is withdrawn.
CREATE FUNCTION hold_back_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = NEW.id) THEN
    NEW.due_at := 'infinity';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER issuance_is_held_back BEFORE UPDATE OF state ON issuance FOR EACH ROW
  WHEN (NEW.state = 'pending' AND OLD.state <> 'pending') EXECUTE FUNCTION hold_back_forgotten();

-- The history stays append-only, but for the evidence of a person who is forgotten.
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.issuance_id, NEW.at, NEW.event, NEW.from_state, NEW.to_state, NEW.attempt_id)
      IS DISTINCT FROM (OLD.id, OLD.issuance_id, OLD.at, OLD.event, OLD.from_state, OLD.to_state, OLD.attempt_id)
    OR NOT EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = OLD.issuance_id)
  THEN
    RAISE EXCEPTION 'the history is append-only; only the evidence about a person who is forgotten may be emptied'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER history_is_append_only ON history;
CREATE TRIGGER history_is_append_only BEFORE DELETE OR TRUNCATE ON history FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER history_is_kept BEFORE UPDATE ON history FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- An issuance gives its key up in two cases: it is revoked and another one takes its place, or its person was forgotten and released.
CREATE OR REPLACE FUNCTION check_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.issuance_key <> superseded_key(OLD.issuance_key, OLD.id) OR NOT (
    EXISTS (SELECT FROM revocation r WHERE r.issuance_id = OLD.id AND r.state IN ('accepted', 'seen') AND r.correction IS NOT NULL)
    OR EXISTS (SELECT FROM erased_issuance e JOIN erasure ON erasure.id = e.erasure_id WHERE e.issuance_id = OLD.id AND erasure.releases))
  THEN
    RAISE EXCEPTION 'an issuance keeps its key for ever, unless it is revoked and corrected, or its person is forgotten and released' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
