-- Runs: lists as they were read, row by row, from the file to the results. A list is taken completely or not at all.

-- One reading of a list. Runs of two other kinds hold what no list contained: adoptions and corrections.
CREATE TABLE run (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  environment   text NOT NULL,
  pipeline      text NOT NULL,
  course_uuid   uuid,
  -- received: its source is being read, or waits to be. braked: held by the brake until an operator decides.
  state         text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'published', 'refused', 'braked')),
  received_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at  timestamptz,
  settled_at    timestamptz,                  -- since when none of its rows can change automatically
  reopened_at   timestamptz,                  -- when it last had open rows again after it was settled
  asked_at      timestamptz,
  missed_at     timestamptz,                  -- when a worker first could not read its source; another one may

  -- The source. The file that is kept is never changed.
  source_name   text NOT NULL,                -- as its sender called it
  source_path   text NOT NULL,                -- where the file is now
  source_sha256 text NOT NULL,
  inbox         boolean NOT NULL DEFAULT false,  -- it came through an inbox, which moves its file
  filed_at      timestamptz,                  -- when its file was moved to the folder of finished or refused files
  format        text,
  separator     text,                         -- between the cells of a CSV; the results are written with the same one
  header        jsonb,
  notices       jsonb NOT NULL DEFAULT '[]',  -- remarks about the file, for people
  read_rows     integer NOT NULL DEFAULT 0,   -- progress while it is being read

  -- Its rows. Those skipped are known, changed (the person has the credential, with other data), or left out.
  rows          integer NOT NULL DEFAULT 0,
  invalid       integer NOT NULL DEFAULT 0,
  skipped       integer NOT NULL DEFAULT 0,
  accepted      integer NOT NULL DEFAULT 0,
  known         integer NOT NULL DEFAULT 0,
  changed       integer NOT NULL DEFAULT 0,
  changes_compared boolean NOT NULL DEFAULT false,  -- its changed rows were compared with the lists around it
  refusal       text,                         -- why it was refused, for people
  results_path  text,
  invalid_path  text,

  -- The brake: why it holds the run, and who decided what.
  braked_at      timestamptz,
  would_accept   integer,                     -- how many rows the run would have issued when it was held
  usual          integer,                     -- how many were usual for the pipeline then; null if that was not known
  braked_because text,
  beyond_day     boolean NOT NULL DEFAULT false,  -- held by `brake.perDay`: later completions wait behind it
  shown          boolean NOT NULL DEFAULT false,  -- held because the report already shows credentials of the course
  waits_because  text,                        -- why the report could not be asked yet, before a first list
  waits_since    timestamptz,
  approved_at    timestamptz,
  approved_by    text,
  approved_why   text,
  rejected_at    timestamptz,
  rejected_by    text,
  rejected_why   text,

  -- An adoption is no list: it holds what the report shows under this certificate name and others have issued.
  adopts        text,
  adopting      boolean NOT NULL DEFAULT false,  -- not finished; the next adoption continues it

  -- No row of a source is left out of the sum.
  CHECK (rows = invalid + skipped + accepted),
  CHECK (state <> 'braked' OR (braked_at IS NOT NULL AND would_accept IS NOT NULL AND braked_because IS NOT NULL)),
  CHECK (NOT adopting OR adopts IS NOT NULL)
);
COMMENT ON TABLE run IS 'kept as long as the ledger';
COMMENT ON COLUMN run.source_sha256 IS 'pseudonymous: hash of the whole list';
COMMENT ON COLUMN run.source_name IS
  'pseudonymous: the name of the file, which its sender chose: it must not name people';
COMMENT ON COLUMN run.source_path IS 'pseudonymous: where the file was';
COMMENT ON COLUMN run.notices IS
  'pseudonymous: remarks about the file, with up to five names of images that no row uses: they must not name people';
COMMENT ON COLUMN run.approved_by IS 'staff: who released it from the brake';
COMMENT ON COLUMN run.approved_why IS 'staff: why; an operator wrote it';
COMMENT ON COLUMN run.rejected_by IS 'staff: who refused it';
COMMENT ON COLUMN run.rejected_why IS 'staff: why; an operator wrote it';
CREATE INDEX run_recent ON run (received_at DESC);
CREATE INDEX run_of_pipeline ON run (environment, pipeline, received_at);
CREATE INDEX run_published ON run (environment, pipeline, published_at DESC) WHERE state = 'published';
CREATE INDEX run_unsettled ON run (environment, pipeline) WHERE settled_at IS NULL;
CREATE INDEX run_to_compare ON run (environment, published_at) WHERE state = 'published' AND NOT changes_compared;
-- Begins with the hash. If it began with the pipeline, the planner would use it to find the newest lists of a pipeline,
-- and sort all of them.
CREATE INDEX run_same_source ON run (source_sha256, environment, pipeline);
-- A file in an inbox becomes one run, whoever finds it.
CREATE UNIQUE INDEX run_inbox_file ON run (source_path) WHERE inbox;
CREATE INDEX run_unfiled ON run (environment, pipeline) WHERE inbox AND filed_at IS NULL;
-- One adoption at a time.
CREATE UNIQUE INDEX run_one_adoption ON run (environment, pipeline, course_uuid) WHERE adopting;
CREATE INDEX run_adopts ON run (environment, course_uuid) WHERE adopts IS NOT NULL;

-- Runs are never deleted and keep their id, so that what refers to them needs no foreign keys (see expect_run).
CREATE TRIGGER run_is_kept BEFORE DELETE OR TRUNCATE ON run FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER run_stays BEFORE UPDATE OF id ON run FOR EACH ROW
  WHEN (OLD.id IS DISTINCT FROM NEW.id) EXECUTE FUNCTION refuse_change();

-- A run that was settled and has open rows again has been open since then, and not since it was published.
CREATE FUNCTION note_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.reopened_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER run_reopens BEFORE UPDATE OF settled_at ON run FOR EACH ROW
  WHEN (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NULL) EXECUTE FUNCTION note_reopening();

-- An image of a recipient, kept once for each content for as long as somebody who needs it may still be sent.
CREATE TABLE image (
  sha256    bytea PRIMARY KEY CHECK (length(sha256) = 32),
  bytes     bytea NOT NULL,
  type      text NOT NULL CHECK (type IN ('jpg', 'png')),
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE image IS 'kept until no row that may still be sent needs it';
COMMENT ON COLUMN image.bytes IS 'personal: the image. Why: it is sent to the service. Forgotten: deleted.';
COMMENT ON COLUMN image.sha256 IS 'pseudonymous: hash of the image';
-- Images are compressed already: compressing them again costs time and gains nothing.
ALTER TABLE image ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- A row of a source that is still being read. The rows become visible together once the source was read to its end, or
-- not at all. The table is unlogged: after a crash of the server it is empty, and the source is read again from its
-- first row. Staged rows are counted before they are published, so nobody has to notice the crash. An invalid row
-- has violations, and neither a recipient nor keys.
CREATE UNLOGGED TABLE staged_row (
  run_id        uuid NOT NULL,
  row_number    integer NOT NULL,
  cells         jsonb NOT NULL,
  raw           jsonb,
  violations    jsonb,
  recipient     jsonb,
  issuance_key  bytea,
  identity_hash bytea,
  match_hashes  bytea[],
  image_sha256  bytea REFERENCES image,
  renews        boolean NOT NULL DEFAULT false,  -- meant to be a further credential for its person
  PRIMARY KEY (run_id, row_number)
);
COMMENT ON TABLE staged_row IS 'kept until the list is published, held or refused: minutes';
COMMENT ON COLUMN staged_row.cells IS
  'personal: as in run_row. Why: a list is taken completely or not at all. Forgotten: deleted.';
COMMENT ON COLUMN staged_row.raw IS 'personal: as in run_row. Why: as for cells. Forgotten: deleted.';
COMMENT ON COLUMN staged_row.violations IS 'personal: as in run_row. Why: as for cells. Forgotten: deleted.';
COMMENT ON COLUMN staged_row.recipient IS 'personal: as in issuance. Why: as for cells. Forgotten: deleted.';
COMMENT ON COLUMN staged_row.issuance_key IS 'pseudonymous: as in issuance';
COMMENT ON COLUMN staged_row.identity_hash IS 'pseudonymous: as in issuance';
COMMENT ON COLUMN staged_row.match_hashes IS 'pseudonymous: as in issuance_match';
COMMENT ON COLUMN staged_row.image_sha256 IS 'pseudonymous: as in issuance';
CREATE INDEX staged_row_image ON staged_row (image_sha256) WHERE image_sha256 IS NOT NULL;

-- A row of a published list, as it was read.
CREATE TABLE run_row (
  run_id         uuid NOT NULL,
  row_number     integer NOT NULL,   -- in the source, whose header is row 1
  outcome        text NOT NULL CHECK (outcome IN ('accepted', 'skipped', 'invalid')),
  cells          jsonb NOT NULL,     -- unchanged: the results file shows them again. [] once they are emptied
  violations     jsonb,              -- which rules an invalid row breaks, and how
  issuance_id    bigint,             -- a skipped row names the issuance that its person has already
  reason         text,               -- why the row was skipped
  changed_fields jsonb,              -- names of the fields in which a skipped row differs from its issuance, no values
  image_sha256   bytea,              -- of a changed row that has an image: `correct --from-row` sends it
  -- Cells of a workbook that were no texts: [[column, value, number format], ...]. The results show them as they were.
  raw            jsonb,
  -- The difference will never wait for a decision again: a later list names the same person, or somebody has decided
  -- (docs/decisions/0070-notices-without-a-queue.md#0075). Marked some lists at a time; all others are compared.
  change_over    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (run_id, row_number),
  CHECK (changed_fields IS NULL OR outcome = 'skipped'),
  -- Each valid row has an issuance. Two kinds of skipped rows have none: rows of forgotten people without an issuance,
  -- and rows that the pipeline's setting `where` leaves out, which say so.
  CONSTRAINT run_row_names_issuance CHECK ((outcome = 'invalid') = (issuance_id IS NULL)
    OR (outcome = 'skipped' AND (cells = '[]' OR starts_with(reason, 'not meant'))))
);
COMMENT ON TABLE run_row IS 'kept as long as the ledger; its personal data until they are forgotten';
COMMENT ON COLUMN run_row.cells IS
  'personal: the row, unchanged. Why: the results file shows the list again; the next list is compared with it. '
  'Forgotten: an empty list.';
COMMENT ON COLUMN run_row.raw IS
  'personal: cells that were no text in the workbook. Why: as for cells. Forgotten: NULL.';
COMMENT ON COLUMN run_row.violations IS
  'personal: what is wrong with an invalid row, with the values. Why: the invalid-rows file says what to do. '
  'Forgotten: the rules stay, without values and sentences.';
COMMENT ON COLUMN run_row.reason IS
  'personal: why a row was skipped or refused, which may quote values. Why: the results file shows it. Forgotten: a '
  'sentence without values.';
COMMENT ON COLUMN run_row.image_sha256 IS
  'pseudonymous: hash of the image that the row names; NULL once the person is forgotten';
CREATE INDEX run_row_issuance ON run_row (issuance_id);
CREATE INDEX run_row_changed ON run_row (issuance_id) WHERE changed_fields IS NOT NULL AND NOT change_over;
CREATE INDEX run_row_image ON run_row (image_sha256) WHERE image_sha256 IS NOT NULL;

-- Foreign keys would look up and lock the other row for each of a million rows, which took more than half of a
-- publication (docs/decisions/0063-plans-by-key.md#0019). Their promise is kept in three parts: what a statement
-- names exists at that moment, which is looked up once for all its rows; it is never deleted; and neither end ever
-- changes. The planner would rather scan a table that it believes to be empty, so these functions forbid it.
CREATE FUNCTION expect_run() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT run_id FROM fresh) f WHERE NOT EXISTS (SELECT FROM run WHERE run.id = f.run_id))
  THEN
    RAISE EXCEPTION '% of % names a run that is not there', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
-- Statistics taken while a list is published, or after that was aborted, count many pages without a row. With them the
-- planner read all issuances once and compared each row with all of them. OFFSET 0 keeps the look-up from becoming a
-- join: it finds one issuance at a time, whatever the statistics say.
CREATE FUNCTION expect_issuance() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM fresh f WHERE f.issuance_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM issuance i WHERE i.id = f.issuance_id OFFSET 0))
  THEN
    RAISE EXCEPTION '% of % names an issuance that is not there', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER run_row_has_run AFTER INSERT ON run_row REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION expect_run();
CREATE TRIGGER run_row_has_issuance AFTER INSERT ON run_row REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION expect_issuance();
CREATE TRIGGER run_row_stays BEFORE UPDATE OF run_id, issuance_id ON run_row FOR EACH ROW
  WHEN (OLD.run_id IS DISTINCT FROM NEW.run_id OR OLD.issuance_id IS DISTINCT FROM NEW.issuance_id)
  EXECUTE FUNCTION refuse_change();
-- Nobody is left out: the rows of a list stay.
CREATE TRIGGER run_row_is_kept BEFORE DELETE OR TRUNCATE ON run_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- How many issuances of a run are in a state: the sum of these rows. Each statement that moves issuances adds what it
-- changed, so that nobody has to count again, and senders of one run do not wait for each other. The rows are summed up
-- from time to time.
CREATE TABLE run_count (
  run_id  uuid NOT NULL,
  state   text NOT NULL,
  rows    integer NOT NULL,   -- that came, less those that left
  surplus integer NOT NULL    -- report items beyond the ones that were asked for
);
CREATE INDEX run_count_run ON run_count (run_id);

-- What a run has accepted is what its states add up to. Checked at the end of the transaction that publishes the run,
-- and true from then on, because issuances are never deleted or moved to another run.
CREATE FUNCTION check_run_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found integer;
BEGIN
  SELECT coalesce(sum(rows), 0) INTO found FROM run_count WHERE run_id = NEW.id;
  IF found <> NEW.accepted THEN
    RAISE EXCEPTION 'run % says % accepted, the ledger holds %', NEW.id, NEW.accepted, found
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER run_balances AFTER INSERT OR UPDATE OF accepted, state ON run DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_run_balance();

-- A run is settled by its counts, so they are compared once with its rows.
CREATE FUNCTION check_run_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT i.state, count(*) AS rows FROM run_row r JOIN issuance i ON i.id = r.issuance_id
                 WHERE r.run_id = NEW.id AND r.outcome = 'accepted' GROUP BY i.state) held
    FULL JOIN (SELECT state, sum(rows) AS rows FROM run_count
               WHERE run_id = NEW.id GROUP BY state HAVING sum(rows) <> 0) counted USING (state)
    WHERE held.rows IS DISTINCT FROM counted.rows)
  THEN
    RAISE EXCEPTION 'the counts of run % differ from its rows', NEW.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER run_counts_agree AFTER UPDATE OF settled_at ON run FOR EACH ROW
  WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL AND NEW.state = 'published')
  EXECUTE FUNCTION check_run_counts();

-- The files with the results of a run. They are written again whenever there is something new to show.
CREATE TABLE write_back (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id     uuid NOT NULL REFERENCES run,
  target     text NOT NULL CHECK (target IN ('results-file')),
  wanted     integer NOT NULL DEFAULT 1,   -- the newest version; raised whenever something is new
  written    integer NOT NULL DEFAULT 0,   -- the version that was written last
  asked_at   timestamptz,
  written_at timestamptz,
  problem    text,
  UNIQUE (run_id, target)
);

-- An exact copy of a list that is not finished. It becomes no run, but a list that was expected has come.
CREATE TABLE list_copy (
  path        text UNIQUE,               -- of the file in the inbox's folder; null if a command handed it over
  run_id      uuid NOT NULL REFERENCES run,
  environment text NOT NULL,
  pipeline    text NOT NULL,
  at          timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE list_copy IS 'kept as long as the ledger, or until another file has its name';
COMMENT ON COLUMN list_copy.path IS 'pseudonymous: where the file was';
CREATE INDEX list_copy_of_pipeline ON list_copy (environment, pipeline, at);

-- When the inbox of a pipeline was looked at. A queue may forget its schedule, this table does not. Times are those of
-- the process that looked, except `asked_at`.
CREATE TABLE inbox_look (
  environment  text NOT NULL,
  pipeline     text NOT NULL,
  last_due_at  timestamptz NOT NULL,       -- the last time of the schedule that was met; for a span, the last look
  looked_at    timestamptz,
  files        integer NOT NULL DEFAULT 0, -- taken by the last look that took any
  files_at     timestamptz,                -- when that was
  again_at     timestamptz,                -- an earlier look, because a file was not ready
  -- Times of the schedule at which nobody looked, when that last happened: the first one, how many, and when a look
  -- made up for them.
  missed_at    timestamptz,
  missed       integer NOT NULL DEFAULT 0,
  caught_up_at timestamptz,
  left_lying   jsonb,                      -- files that cannot be taken: { count, examples: [{ name, why }] }, or null
  problem      text,                       -- why the folder cannot be used
  asked_at     timestamptz,
  PRIMARY KEY (environment, pipeline)
);
COMMENT ON TABLE inbox_look IS 'kept as long as the ledger';
COMMENT ON COLUMN inbox_look.left_lying IS 'pseudonymous: the names of files that cannot be taken';
