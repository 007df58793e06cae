// Applies the migrations to the ledger's database. Any number of processes may start at the same time: an advisory lock
// lets one of them migrate while the others wait.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createSchema } from '#src/platform/database/create-schema.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { refusePooler } from '#src/platform/database/refuse-pooler.ts'
import { requireSuitable } from '#src/platform/database/require-suitable.ts'
import { checkOfKey } from './hash-key.ts'

const extensions = new URL('../extensions/', import.meta.url)

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

  /** @param changed migrations that were applied with a different text, or that are no longer part of the baseline */
  constructor([first, ...others]: readonly string[]) {
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    super(
      `This ledger was created with a different version of the migration ${first}${more}. If the files here were edited, restore them from their release (a fresh checkout or package).`,
    )
  }
}

/** The migrations of this version, in order. */
export async function knownMigrations(): Promise<string[]> {
  return (await migrationFiles()).map(({ name }) => name)
}

/** Returns the files of the core and of each extension that is present, in the order of their numbers. */
async function migrationFiles(): Promise<{ name: string; file: URL }[]> {
  const present = await namesIn(extensions)
  const folders = [
    new URL('./migrations/', import.meta.url),
    ...present.map((extension) => new URL(`${extension}/migrations/`, extensions)),
  ]
  const found = await Promise.all(
    folders.map(async (folder) => (await namesIn(folder)).map((name) => ({ name, file: new URL(name, folder) }))),
  )
  return found
    .flat()
    .filter(({ name }) => name.endsWith('.sql'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Lists a folder. Empty if the folder is missing, because an extension may have no tables or may have been removed. */
const namesIn = (folder: URL): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })

/**
 * Applies the missing migrations in order, each in its own transaction together with its entry in `migration`.
 * @param randomKey 32 random bytes, which become the ledger's hash key the first time and are ignored afterwards
 * @param outsideKey the hash key from outside the database, used instead of `randomKey` and not stored
 * @returns the names of the migrations that this call applied
 * @throws DatabaseUnsuitableError, before anything is created
 * @throws LedgerTooNewError if a newer version of credsync has already migrated this ledger
 * @throws MigrationChangedError if the text of an applied migration has changed
 * @throws DatabaseRefusedError behind a pooler that does not give each connection its own session
 */
export async function migrate(
  database: Database,
  randomKey: Buffer,
  outsideKey: Buffer | null = null,
): Promise<string[]> {
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
    refuseChanged(applied, known)
    const unknownMigrations = applied.filter(({ name }) => !known.has(name))
    if (unknownMigrations.length > 0) throw new LedgerTooNewError(unknownMigrations.map(({ name }) => name))
    const missingMigrations = [...known].filter(([name]) => !applied.some((each) => each.name === name))
    for (const [name, text] of missingMigrations) await applyMigration(session, name, text)
    await session.query('INSERT INTO ledger (hash_key, key_check) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      outsideKey ? null : randomKey,
      checkOfKey(outsideKey ?? randomKey),
    ])
    return missingMigrations.map(([name]) => name)
  } finally {
    await session.release()
  }
}

/** Reads the text of every migration, by name and in order. */
async function readMigrations(): Promise<Map<string, string>> {
  const files = await migrationFiles()
  return new Map(await Promise.all(files.map(async ({ name, file }) => [name, await readFile(file, 'utf8')] as const)))
}

/** Returns the checksum of a migration's text, independent of its line endings. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

/** @throws MigrationChangedError if a known migration has a different text, or an unknown one precedes a known one */
function refuseChanged(applied: readonly AppliedMigration[], known: ReadonlyMap<string, string>): void {
  const last = [...known.keys()].at(-1) ?? ''
  const changed = applied.filter(({ name, sha256 }) => {
    const text = known.get(name)
    return text === undefined ? name < last : sha256 !== checksumOf(text)
  })
  if (changed.length > 0) throw new MigrationChangedError(changed.map(({ name }) => name))
}

interface AppliedMigration {
  name: string
  /** Checksum of its text; null in a ledger of an early build. */
  sha256: string | null
}

async function appliedMigrations(sql: Sql): Promise<AppliedMigration[]> {
  await sql.query(createSchema('credsync'))
  await sql.query(
    'CREATE TABLE IF NOT EXISTS credsync.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp(), sha256 text)',
  )
  // Early builds had no checksums.
  const { rows } = await sql.query<AppliedMigration>(
    `SELECT name, to_jsonb(m)->>'sha256' AS sha256 FROM credsync.migration m ORDER BY name`,
  )
  return rows
}

// Runs after each migration, because an extension's migration may be applied to a ledger that was in use without the
// extension.
const keepOutOfStatistics = `
  DO $$ BEGIN
    IF to_regprocedure('keep_out_of_statistics()') IS NOT NULL THEN PERFORM keep_out_of_statistics(); END IF;
  END $$`

async function applyMigration(sql: Sql, name: string, text: string): Promise<void> {
  await sql.query('BEGIN')
  try {
    await sql.query('SET LOCAL search_path = credsync')
    await sql.query(text)
    await sql.query(keepOutOfStatistics)
    await sql.query('INSERT INTO credsync.migration (name, sha256) VALUES ($1, $2)', [name, checksumOf(text)])
    await sql.query('COMMIT')
  } catch (error) {
    await sql.query('ROLLBACK')
    throw error
  }
}
