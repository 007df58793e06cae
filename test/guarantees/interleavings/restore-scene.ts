// Restores a database to a saved state in one call, so that each interleaving begins with the same rows and ids.

import type { Database } from '#src/platform/database/database.ts'

/** Dead rows slow down every later read, so they are vacuumed after this many restores. */
const restoresBeforeVacuum = 100

/** Saves the current rows of the ledger's tables in the database. Returns a function that restores them. */
export async function keepScene(database: Database): Promise<() => Promise<void>> {
  const { rows } = await database.query<{ name: string; columns: string }>(
    `SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'credsync'::regnamespace AND c.relkind = 'r' GROUP BY c.relname ORDER BY c.relname`,
  )
  await database.query(
    ['CREATE SCHEMA kept', ...rows.map(({ name }) => `CREATE TABLE kept.${name} AS TABLE credsync.${name}`)].join(';'),
  )
  const back = rows.map(
    ({ name, columns }) =>
      `DELETE FROM credsync.${name}; INSERT INTO credsync.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept.${name}`,
  )
  // A database function, so that its statements are planned once.
  await database.query(
    `CREATE FUNCTION kept.restore() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$ BEGIN ${back.join(';')}; END $$`,
  )
  const tables = rows.map(({ name }) => `credsync.${name}`).join(', ')
  let restores = 0
  return async () => {
    restores++
    if (restores % restoresBeforeVacuum === 0) await database.query(`VACUUM ${tables}`)
    await database.query('SELECT kept.restore()')
  }
}
