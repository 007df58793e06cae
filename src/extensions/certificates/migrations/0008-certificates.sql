-- Certificates: archives, the folders of pipelines into which certificates are downloaded, each of them once.

-- Null once the certificate is archived. What was issued before its pipeline had an archive is due as well.
ALTER TABLE issuance ADD COLUMN archive_due_at timestamptz DEFAULT '-infinity';
-- Finds what waits, however much is archived.
CREATE INDEX issuance_to_archive ON issuance (environment, pipeline, archive_due_at, id)
  WHERE state = 'issued' AND archive_due_at IS NOT NULL;

-- The archive of a pipeline that has one, or had one.
CREATE TABLE archive (
  environment text NOT NULL,
  pipeline    text NOT NULL,
  folder      text NOT NULL,
  watched     boolean NOT NULL DEFAULT true,  -- false once the configuration no longer has it
  used_folder text,                           -- where the last one was kept: this folder is not created again
  kept        bigint NOT NULL DEFAULT 0,      -- how many certificates are kept
  problem     text,                           -- what stops all of them
  tries       integer NOT NULL DEFAULT 0,
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at    timestamptz,
  PRIMARY KEY (environment, pipeline)
);

-- A certificate that was downloaded, or that could not be.
CREATE TABLE archived_certificate (
  issuance_id  bigint PRIMARY KEY REFERENCES issuance,
  folder       text,
  file         text,                          -- its name in the folder; null while all tries have failed
  sha256       text,
  size         bigint,                        -- in bytes
  content_type text,
  kept_at      timestamptz,
  removed_at   timestamptz,                   -- when the file was deleted: it is not downloaded again
  tries        integer NOT NULL DEFAULT 0,
  tried_at     timestamptz,
  problem      text,
  -- What is kept is known completely.
  CHECK (file IS NULL OR (folder IS NOT NULL AND sha256 IS NOT NULL AND size IS NOT NULL AND kept_at IS NOT NULL
                          AND problem IS NULL))
);
COMMENT ON TABLE archived_certificate IS 'kept as long as the ledger';
COMMENT ON COLUMN archived_certificate.problem IS
  'personal: why it could not be fetched, which may quote the service (addresses and long numbers are masked, a name '
  'may be left). Why: `credsync status` shows it. Forgotten: NULL.';
COMMENT ON COLUMN archived_certificate.file IS 'pseudonymous: its name in the folder: the id of the credential';
COMMENT ON COLUMN archived_certificate.sha256 IS 'pseudonymous: hash of the file';
CREATE INDEX archived_certificate_troubled ON archived_certificate (issuance_id) WHERE file IS NULL;
CREATE INDEX archived_certificate_kept ON archived_certificate (kept_at)
  WHERE file IS NOT NULL AND removed_at IS NULL;
