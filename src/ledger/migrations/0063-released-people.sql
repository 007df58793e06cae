-- When the hashes of a forgotten person were released. The erasure does not say it for certain: the credential of somebody who was released may
-- be revoked by a later erasure, to which the issuance belongs then.
ALTER TABLE erased_issuance ADD COLUMN released_at timestamptz;
UPDATE erased_issuance e SET released_at = x.ended_at FROM erasure x WHERE x.id = e.erasure_id AND x.releases;
CREATE INDEX erased_issuance_released ON erased_issuance (course_uuid) WHERE released_at IS NOT NULL;
