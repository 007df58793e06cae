-- The image of a row that names somebody known with another one: `correct --from-row` sends it. Null where the row has none of its own.
ALTER TABLE run_row ADD COLUMN image_sha256 bytea;
CREATE INDEX run_row_image ON run_row (image_sha256) WHERE image_sha256 IS NOT NULL;
