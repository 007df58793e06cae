// Brings the ledger's tables up to date. Any number of processes may start at once: an advisory lock lets one work and the rest wait.

import { readdir, readFile } from 'node:fs/promises'
import type { Database, Sql } from '#src/database/database.ts'

const folder = new URL('./migrations/', import.meta.url)
const lockName = 'credsync:migrate'

export class LedgerTooNewError extends Error {
  override readonly name = 'LedgerTooNewError'
}

/**
 * Applies the migrations that are missing, in order, each in its own transaction together with the note that it ran.
 * @param randomKey 32 random bytes; becomes the ledger's hash key the first time, ignored afterwards
 * @returns the names of those applied now
 * @throws LedgerTooNewError when a newer credsync has already changed this ledger
 */
export async function migrate(database: Database, randomKey: Buffer): Promise<string[]> {
  const known = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const session = await database.session()
  try {
    await session.query('SET lock_timeout = 0')
    // A change of a large ledger may take long, and so may waiting for the process that makes it.
    await session.query('SET statement_timeout = 0')
    await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [lockName])
    const done = await appliedMigrations(session)
    const foreign = done.filter((name) => !known.includes(name))
    if (foreign.length > 0)
      throw new LedgerTooNewError(
        `This ledger was changed by a newer credsync (${foreign.join(', ')}). Start that version or a later one.`,
      )
    const missing = known.filter((name) => !done.includes(name))
    for (const name of missing) await apply(session, name, await readFile(new URL(name, folder), 'utf8'))
    await session.query('INSERT INTO ledger (hash_key) VALUES ($1) ON CONFLICT DO NOTHING', [randomKey])
    return missing
  } finally {
    await session.release()
  }
}

async function appliedMigrations(sql: Sql): Promise<string[]> {
  await sql.query('CREATE SCHEMA IF NOT EXISTS credsync')
  await sql.query(
    'CREATE TABLE IF NOT EXISTS credsync.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())',
  )
  const { rows } = await sql.query<{ name: string }>('SELECT name FROM credsync.migration ORDER BY name')
  return rows.map((row) => row.name)
}

async function apply(sql: Sql, name: string, text: string): Promise<void> {
  await sql.query('BEGIN')
  try {
    await sql.query('SET LOCAL search_path = credsync')
    await sql.query(text)
    await sql.query('INSERT INTO credsync.migration (name) VALUES ($1)', [name])
    await sql.query('COMMIT')
  } catch (error) {
    await sql.query('ROLLBACK')
    throw error
  }
}
