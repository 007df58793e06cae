-- The identities of issuances in a table of their own, for look-ups by what people give. As an index of issuance it cost a fifth of all the
-- database's work for a person, because each step of an issuance is an entry in each of its indexes, and these entries lie scattered.
DROP INDEX issuance_identity;
CREATE TABLE issuance_identity (
  identity_hash bytea NOT NULL,
  issuance_id   bigint NOT NULL,
  PRIMARY KEY (identity_hash, issuance_id)
);
INSERT INTO issuance_identity (identity_hash, issuance_id) SELECT identity_hash, id FROM issuance ORDER BY identity_hash;

CREATE OR REPLACE FUNCTION begin_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history (issuance_id, event, to_state, attempt_id, evidence) SELECT id, event, state, attempt_id, evidence FROM fresh ORDER BY id;
  INSERT INTO issuance_identity (identity_hash, issuance_id) SELECT identity_hash, id FROM fresh;
  INSERT INTO run_count (run_id, state, rows, surplus) SELECT run_id, state, count(*), sum(surplus_items) FROM fresh GROUP BY run_id, state;
  RETURN NULL;
END $$;

-- Only what corrects another one is in this index.
ALTER TABLE issuance DROP CONSTRAINT issuance_corrects_key;
CREATE UNIQUE INDEX issuance_corrects ON issuance (corrects) WHERE corrects IS NOT NULL;
