-- The archive: which certificates were fetched into the folder of their pipeline, and when those that were not are tried.

-- Null once it is archived. What was issued before a pipeline had an archive is due like everything else.
ALTER TABLE issuance ADD COLUMN archive_due_at timestamptz DEFAULT '-infinity';
-- What waits is found by it, however much is archived.
CREATE INDEX issuance_to_archive ON issuance (environment, pipeline, archive_due_at, id)
  WHERE state = 'issued' AND archive_due_at IS NOT NULL;

-- One row for each pipeline that has, or had, an archive.
CREATE TABLE archive (
  environment text NOT NULL,
  pipeline    text NOT NULL,
  folder      text NOT NULL,
  watched     boolean NOT NULL DEFAULT true,  -- false when the configuration has no archive for it any more
  used_folder text,                           -- where the last one was kept: that folder is not made anew when it is missing
  kept        bigint NOT NULL DEFAULT 0,
  problem     text,                           -- what keeps all of it from going on
  tries       integer NOT NULL DEFAULT 0,     -- how often that has happened in a row
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at    timestamptz,
  PRIMARY KEY (environment, pipeline)
);

-- One row for each certificate that was tried.
CREATE TABLE archived_certificate (
  issuance_id  bigint PRIMARY KEY REFERENCES issuance,
  folder       text,
  file         text,                          -- its name in the folder; null while it was tried in vain
  sha256       text,
  size         bigint,
  content_type text,
  kept_at      timestamptz,
  tries        integer NOT NULL DEFAULT 0,    -- in vain
  tried_at     timestamptz,
  problem      text,
  CHECK (file IS NULL OR (folder IS NOT NULL AND sha256 IS NOT NULL AND size IS NOT NULL AND kept_at IS NOT NULL AND problem IS NULL))
);
CREATE INDEX archived_certificate_troubled ON archived_certificate (issuance_id) WHERE file IS NULL;
