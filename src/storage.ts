// The storage ladder: your PostgreSQL where one is configured, an embedded one in the data directory where none is.

import type { Settings } from '#config/settings.ts'
import { EmbeddedPostgresError, useYourOwn } from '#src/database/embedded-error.ts'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { makeFolders } from '#src/sources/make-folders.ts'
import type { Clock } from '#src/time/clock.ts'

/**
 * Others may pass through and see nothing: under root PostgreSQL's account must get to its files below. What is private there
 * (outbox, database) has a mode of its own.
 */
const dataDirMode = 0o711

export interface Storage {
  /** Holds a password: for opening connections, never for printing. */
  url: string
  kind: string
  release(): Promise<void>
}

export async function openStorage(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  around: { clock: Clock; notice?: (text: string) => void },
): Promise<Storage> {
  if (settings.databaseUrl) return { url: settings.databaseUrl.reveal(), kind: 'PostgreSQL', release: async () => {} }
  await makeDataDir(settings.dataDir)
  const embedded = await openEmbeddedPostgres({
    dataDir: settings.dataDir,
    clock: around.clock,
    ...(around.notice && { onNotice: around.notice }),
  })
  return { url: embedded.url, kind: 'embedded PostgreSQL', release: async () => void (await embedded.release()) }
}

/** Makes the data directory where it is missing. @throws EmbeddedPostgresError, for without it there is no place for the database */
export async function makeDataDir(dataDir: string): Promise<void> {
  await makeFolders(dataDir, dataDirMode).catch((cause: NodeJS.ErrnoException) => {
    throw new EmbeddedPostgresError({
      what: `the data directory cannot be made (${cause.code ?? 'unknown reason'})`,
      where: dataDir,
      next: `choose another (CREDSYNC_DATA_DIR), make it, or ${useYourOwn}`,
      cause,
    })
  })
}
