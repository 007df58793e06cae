-- Statistics that were taken while a list was being published, or after that was aborted, say that many pages have no
-- row. With them the planner read the whole index of issuances once and compared each named issuance with all of it. A
-- query that cannot become a join looks up one issuance at a time, whatever the statistics say.
CREATE OR REPLACE FUNCTION expect_issuance() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM fresh f WHERE f.issuance_id IS NOT NULL AND NOT EXISTS (SELECT FROM issuance i WHERE i.id = f.issuance_id OFFSET 0)) THEN
    RAISE EXCEPTION '% of % names an issuance that is not there', TG_OP, TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
