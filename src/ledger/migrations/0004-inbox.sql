-- Files that came through an inbox. Their run knows them by the path in processing, and from then on by the one where they ended.
ALTER TABLE run ADD COLUMN inbox boolean NOT NULL DEFAULT false;
ALTER TABLE run ADD COLUMN filed_at timestamptz;     -- when its file was brought to done or refused
-- One file is one run, whoever finds it.
CREATE UNIQUE INDEX run_inbox_file ON run (source_path) WHERE inbox;
CREATE INDEX run_unfiled ON run (environment, pipeline) WHERE inbox AND filed_at IS NULL;

-- The memory of looking: what a queue's scheduler forgets, this does not. Times are of the looking process's clock, but for asked_at.
CREATE TABLE inbox_look (
  environment  text NOT NULL,
  pipeline     text NOT NULL,
  last_due_at  timestamptz NOT NULL,     -- the last due time that was answered; for a span, the last look
  looked_at    timestamptz,
  files        integer NOT NULL DEFAULT 0,   -- taken at the last look that took any
  files_at     timestamptz,
  again_at     timestamptz,              -- an earlier look, for what was not ready
  missed_at    timestamptz,              -- the first of the due times that nobody looked at, when that happened last
  missed       integer NOT NULL DEFAULT 0,
  caught_up_at timestamptz,
  problem      text,                     -- why the folder cannot be used
  asked_at     timestamptz,
  PRIMARY KEY (environment, pipeline)
);
