// Applies the migrations to the ledger's database. Any number of processes may start at the same time: an advisory lock
// lets one of them migrate while the others wait.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createSchema } from '#src/platform/database/create-schema.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { refusePooler } from '#src/platform/database/refuse-pooler.ts'
import { requireSuitable } from '#src/platform/database/require-suitable.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The advisory lock that is held during a migration. Every claim takes it in shared mode. */
export const migrationLock = 'credsync:migrate'

export class LedgerTooNewError extends Error {
  override readonly name = 'LedgerTooNewError'

  /** @param unknownMigrations migrations that this version does not know */
  constructor(unknownMigrations: readonly string[]) {
    super(
      `This ledger was migrated by a newer version of credsync (${unknownMigrations.join(', ')}), so this version no longer sends anything. Start that version or a later one.`,
    )
  }
}

export class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError'

  constructor(changed: readonly string[]) {
    super(
      `This ledger was created with a different version of ${changed.map((name) => `src/ledger/migrations/${name}`).join(', ')}. Released migrations are never edited: restore the file from its release (a fresh checkout or package), and run the command again.`,
    )
  }
}

/** The migrations of this version, in order. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/**
 * Applies the missing migrations in order, each in its own transaction together with its entry in `migration`.
 * @param randomKey 32 random bytes; becomes the ledger's hash key the first time, ignored afterwards
 * @returns the names of the migrations that this call applied
 * @throws DatabaseUnsuitableError, before anything is created
 * @throws LedgerTooNewError when a newer version of credsync has already migrated this ledger
 * @throws MigrationChangedError when the text of an applied migration has changed
 * @throws DatabaseRefusedError behind a pooler that does not keep sessions apart
 */
export async function migrate(database: Database, randomKey: Buffer): Promise<string[]> {
  const known = await readMigrations()
  const session = await database.session()
  try {
    await refusePooler(database, session)
    await requireSuitable(session)
    await session.query('SET lock_timeout = 0')
    // Migrating a large ledger may take a long time, and so may waiting for another process to do it.
    await session.query('SET statement_timeout = 0')
    await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [migrationLock])
    const applied = await appliedMigrations(session)
    const unknownMigrations = applied.filter(({ name }) => !known.has(name))
    if (unknownMigrations.length > 0) throw new LedgerTooNewError(unknownMigrations.map(({ name }) => name))
    await compareTexts(session, applied, known)
    const missingMigrations = [...known].filter(([name]) => !applied.some((each) => each.name === name))
    for (const [name, text] of missingMigrations) await applyMigration(session, name, text)
    await session.query('INSERT INTO ledger (hash_key) VALUES ($1) ON CONFLICT DO NOTHING', [randomKey])
    return missingMigrations.map(([name]) => name)
  } finally {
    await session.release()
  }
}

/** The text of every migration by its name, in order. */
async function readMigrations(): Promise<Map<string, string>> {
  const names = await knownMigrations()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return new Map(names.map((name, at) => [name, texts[at] ?? '']))
}

/** Checksum of a migration's text, independent of its line endings. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

/**
 * Compares the checksums of the applied migrations with their current texts, and stores the checksum of those that were
 * applied before checksums were recorded.
 * @throws MigrationChangedError when a text has changed
 */
async function compareTexts(
  sql: Sql,
  applied: readonly AppliedMigration[],
  known: ReadonlyMap<string, string>,
): Promise<void> {
  const texts = applied.map((each) => ({ ...each, now: checksumOf(known.get(each.name) ?? '') }))
  const changed = texts.filter(({ sha256, now }) => sha256 !== null && sha256 !== now)
  if (changed.length > 0) throw new MigrationChangedError(changed.map(({ name }) => name))
  for (const { name, sha256, now } of texts)
    if (sha256 === null)
      await sql.query('UPDATE credsync.migration SET sha256 = $2 WHERE name = $1 AND sha256 IS NULL', [name, now])
}

interface AppliedMigration {
  name: string
  /** Checksum of its text; null if it was applied before checksums were recorded. */
  sha256: string | null
}

async function appliedMigrations(sql: Sql): Promise<AppliedMigration[]> {
  await sql.query(createSchema('credsync'))
  await sql.query(
    'CREATE TABLE IF NOT EXISTS credsync.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp(), sha256 text)',
  )
  // Checked first, because ADD COLUMN IF NOT EXISTS locks the table even if the column exists.
  await sql.query(
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'credsync.migration'::regclass AND attname = 'sha256') THEN
         ALTER TABLE credsync.migration ADD COLUMN sha256 text;
       END IF;
     END $$`,
  )
  const { rows } = await sql.query<AppliedMigration>('SELECT name, sha256 FROM credsync.migration ORDER BY name')
  return rows
}

async function applyMigration(sql: Sql, name: string, text: string): Promise<void> {
  await sql.query('BEGIN')
  try {
    await sql.query('SET LOCAL search_path = credsync')
    await sql.query(text)
    await sql.query('INSERT INTO credsync.migration (name, sha256) VALUES ($1, $2)', [name, checksumOf(text)])
    await sql.query('COMMIT')
  } catch (error) {
    await sql.query('ROLLBACK')
    throw error
  }
}
