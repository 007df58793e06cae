// Manages the database for demos on a server provided by the user: creates it, and drops the ledger that earlier demos
// left in it. The database is recognized by its comment, so that no other database of the same name is ever emptied.

import { type Database, openDatabase } from '#src/platform/database/database.ts'

export const demoDatabase = 'credsync_demo'
const comment = 'credsync demo'

/**
 * Creates the database if it is missing.
 * @param url the address of another database on the same server
 * @returns the address of the demo database, or why it cannot be used
 */
export async function openDemoDatabase(url: string): Promise<{ url: string } | { refused: 'permission' | 'foreign' }> {
  await using database = openDatabase(url, { connections: 1 })
  const found = await database.query<{ comment: string | null }>(
    "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1",
    [demoDatabase],
  )
  const [existing] = found.rows
  if (existing && existing.comment !== comment) return { refused: 'foreign' }
  if (!existing) {
    try {
      await database.query(`CREATE DATABASE ${demoDatabase}`)
    } catch (error) {
      if ((error as { code?: unknown }).code === insufficientPrivilege) return { refused: 'permission' }
      throw error
    }
    await database.query(`COMMENT ON DATABASE ${demoDatabase} IS '${comment}'`)
  }
  const own = new URL(url)
  own.pathname = `/${demoDatabase}`
  return (await databaseOf(own.href)) === demoDatabase ? { url: own.href } : { refused: 'foreign' }
}

/** Queries the database's name, because a pooler or a parameter of the address may lead to another database. */
async function databaseOf(url: string): Promise<string | undefined> {
  await using database = openDatabase(url, { connections: 1 })
  const { rows } = await database.query<{ name: string }>('SELECT current_database() AS name')
  return rows[0]?.name
}

const insufficientPrivilege = '42501'

/**
 * Drops all of credsync's schemas, with the ledger that earlier demos left. The caller must make sure that the database
 * was used for demos only. This function only checks that no development worker holds its lock.
 * @returns false if a development worker is running on this database; nothing is dropped then
 */
export async function dropDemoLedger(database: Database): Promise<boolean> {
  const session = await database.session()
  try {
    const { rows } = await session.query<{ free: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('credsync:development:worker', 0)) AS free`,
    )
    if (!rows[0]?.free) return false
    await session.query('DROP SCHEMA IF EXISTS credsync, credsync_queue_development CASCADE')
    return true
  } finally {
    await session.release()
  }
}
