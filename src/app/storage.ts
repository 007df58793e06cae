// Chooses the storage: the configured PostgreSQL, or an embedded one in the data directory.

import type { Settings } from '#config/settings.ts'
import { makeFolders } from '#src/files/tables/make-folders.ts'
import { EmbeddedPostgresError, ownDatabaseHint } from '#src/platform/database/embedded-error.ts'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import type { Clock } from '#src/platform/time/clock.ts'

/**
 * Other accounts may pass through the directory but not list it: if credsync runs as root, PostgreSQL's own account
 * must reach its files below. Private content (outbox, database) has a stricter mode.
 */
const dataDirMode = 0o711

/** Returns an address with a password, so never print it, and a kind for messages, such as `embedded PostgreSQL`. */
export async function openStorage(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  options: { clock: Clock; notice?: (text: string) => void },
) {
  if (settings.databaseUrl) return { url: settings.databaseUrl.reveal(), kind: 'PostgreSQL', release: async () => {} }
  await makeDataDir(settings.dataDir)
  const embedded = await openEmbeddedPostgres({
    dataDir: settings.dataDir,
    clock: options.clock,
    ...(options.notice && { onNotice: options.notice }),
  })
  return { url: embedded.url, kind: 'embedded PostgreSQL', release: async () => void (await embedded.release()) }
}

/**
 * Creates the data directory if it is missing.
 * @throws EmbeddedPostgresError, because without it there is no place for the database
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  await makeFolders(dataDir, dataDirMode).catch((cause: NodeJS.ErrnoException) => {
    throw new EmbeddedPostgresError({
      what: `the data directory cannot be created (${cause.code ?? 'unknown reason'})`,
      where: dataDir,
      next: `choose another one (CREDSYNC_DATA_DIR), create it, or ${ownDatabaseHint}`,
      cause,
    })
  })
}
