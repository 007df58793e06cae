-- Images of recipients, for pipelines that upload files: kept once for each content, while somebody who needs it can still be sent.

CREATE TABLE image (
  sha256    bytea PRIMARY KEY CHECK (length(sha256) = 32),
  bytes     bytea NOT NULL,
  type      text NOT NULL CHECK (type IN ('jpg', 'png')),
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Images are packed already; packing them again costs time and gains nothing.
ALTER TABLE image ALTER COLUMN bytes SET STORAGE EXTERNAL;

ALTER TABLE staged_row ADD COLUMN image_sha256 bytea REFERENCES image;
CREATE INDEX staged_row_image ON staged_row (image_sha256) WHERE image_sha256 IS NOT NULL;

-- No reference: it stays as a record of what was sent, when the image itself is gone.
ALTER TABLE issuance ADD COLUMN image_sha256 bytea;
CREATE INDEX issuance_image ON issuance (image_sha256) WHERE image_sha256 IS NOT NULL;
