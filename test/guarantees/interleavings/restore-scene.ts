// Restores a database to a saved state in one call, so that each interleaving begins with the same rows and ids.

import type { Database } from '#src/platform/database/database.ts'

/** Dead rows slow down every later read, so they are vacuumed after this many restores. */
const restoresBeforeVacuum = 100

export interface KeptScene {
  /** Restores the saved rows of the tables that were written to since the last time. */
  restore(): Promise<void>
  /** The tables that were written to since then. */
  written(): Promise<string[]>
  /** Saves the current rows instead. */
  keepNow(): Promise<void>
}

/** Saves the current rows of the ledger's tables in the database. */
export async function keepScene(database: Database): Promise<KeptScene> {
  const { rows } = await database.query<{ name: string; columns: string }>(
    `SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'credsync'::regnamespace AND c.relkind = 'r' GROUP BY c.relname ORDER BY c.relname`,
  )
  const names = rows.map(({ name }) => name)
  await database.query(
    ['CREATE SCHEMA kept', ...names.map((name) => `CREATE TABLE kept.${name} AS TABLE credsync.${name}`)].join(';'),
  )
  // Restoring all tables takes twenty times as long as a verb, which writes to three or four of them. A statement that
  // changes no row counts too, and one whose transaction is undone does not.
  await database.query(
    [
      'CREATE SCHEMA noted; CREATE TABLE noted.written (name text NOT NULL)',
      `CREATE FUNCTION noted.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO noted.written VALUES (TG_TABLE_NAME); RETURN NULL; END $$`,
      ...names.map(
        (name) =>
          `CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON credsync.${name} FOR EACH STATEMENT EXECUTE FUNCTION noted.note();
           ALTER TABLE credsync.${name} ENABLE ALWAYS TRIGGER note`,
      ),
    ].join(';'),
  )
  const back = rows.map(
    ({ name, columns }) =>
      `IF '${name}' = ANY (names) THEN DELETE FROM credsync.${name}; INSERT INTO credsync.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept.${name}; END IF`,
  )
  // A database function, so that its statements are planned once.
  await database.query(
    `CREATE FUNCTION kept.restore() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$
     DECLARE names text[] := ARRAY(SELECT DISTINCT name FROM noted.written);
     BEGIN ${back.join(';')}; DELETE FROM noted.written; END $$`,
  )
  const tables = [...names.map((name) => `credsync.${name}`), 'noted.written'].join(', ')
  let restores = 0
  return {
    async restore() {
      restores++
      if (restores % restoresBeforeVacuum === 0) await database.query(`VACUUM ${tables}`)
      await database.query('SELECT kept.restore()')
    },
    async written() {
      const { rows: written } = await database.query<{ name: string }>('SELECT DISTINCT name FROM noted.written')
      return written.map(({ name }) => name)
    },
    async keepNow() {
      const statements = names.map((name) => `TRUNCATE kept.${name}; INSERT INTO kept.${name} TABLE credsync.${name}`)
      await database.query([...statements, 'DELETE FROM noted.written'].join(';'))
    },
  }
}
