// The storage ladder: your PostgreSQL where one is configured, an embedded one in the data directory where none is.

import { mkdir } from 'node:fs/promises'
import type { Settings } from '#config/settings.ts'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import type { Clock } from '#src/time/clock.ts'

/**
 * Others may pass through and see nothing: under root PostgreSQL's account must get to its files below. What is private there
 * (outbox, database) has a mode of its own.
 */
export const dataDirMode = 0o711

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
  await mkdir(settings.dataDir, { recursive: true, mode: dataDirMode })
  const embedded = await openEmbeddedPostgres({
    dataDir: settings.dataDir,
    clock: around.clock,
    ...(around.notice && { onNotice: around.notice }),
  })
  return { url: embedded.url, kind: 'embedded PostgreSQL', release: async () => void (await embedded.release()) }
}
