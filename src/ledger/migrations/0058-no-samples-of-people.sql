-- The planner keeps samples of values, which would outlive the data of a person who is forgotten. Columns with personal data have none from now on
-- (src/ledger/erasure/inventory), and the samples that exist are removed. No plan needs them: such columns are read, and hardly searched.

DO $$
DECLARE
  personal record;
BEGIN
  FOR personal IN
    SELECT * FROM (VALUES
      ('issuance', ARRAY['recipient', 'reason', 'evidence']), ('history', ARRAY['evidence']), ('run_row', ARRAY['cells', 'raw', 'violations', 'reason']),
      ('staged_row', ARRAY['cells', 'raw', 'violations', 'recipient']), ('image', ARRAY['bytes']), ('revocation', ARRAY['correction', 'words']),
      ('completion', ARRAY['learner', 'cells']), ('delivery', ARRAY['body', 'headers']), ('tell', ARRAY['problem']), ('attempt', ARRAY['words'])
    ) p (tab, cols), unnest(cols) col
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', personal.tab, personal.col);
  END LOOP;
END $$;

-- Removes samples of columns whose statistics are off, as far as the owner of the tables may: a server before PostgreSQL 18 has no function for it, and
-- forgets them when a column is given its own type again, which it refuses where a view reads the column. Returns the columns that still have samples.
CREATE FUNCTION remove_samples() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  sampled record;
BEGIN
  FOR sampled IN
    SELECT s.schemaname, s.tablename, s.attname, s.inherited, format_type(a.atttypid, a.atttypmod) AS type FROM pg_stats s
    JOIN pg_class c ON c.relname = s.tablename AND c.relnamespace = s.schemaname::regnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = s.attname AND a.attstattarget = 0
    WHERE s.schemaname = 'credsync'
  LOOP
    BEGIN
      IF to_regprocedure('pg_catalog.pg_clear_attribute_stats(text, text, text, boolean)') IS NOT NULL THEN
        EXECUTE 'SELECT pg_catalog.pg_clear_attribute_stats($1, $2, $3, $4)'
          USING sampled.schemaname::text, sampled.tablename::text, sampled.attname::text, sampled.inherited;
      ELSE
        EXECUTE format('ALTER TABLE %I.%I ALTER COLUMN %I TYPE %s', sampled.schemaname, sampled.tablename, sampled.attname, sampled.type);
      END IF;
    EXCEPTION WHEN feature_not_supported OR object_in_use OR insufficient_privilege OR lock_not_available OR deadlock_detected THEN
      NULL;
    END;
  END LOOP;
  RETURN QUERY
    SELECT s.tablename || '.' || s.attname FROM pg_stats s
    JOIN pg_class c ON c.relname = s.tablename AND c.relnamespace = s.schemaname::regnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = s.attname AND a.attstattarget = 0
    WHERE s.schemaname = 'credsync' ORDER BY 1;
END $$;
SELECT remove_samples();
