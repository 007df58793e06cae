// Drops the ledger of an earlier demo, whose sandboxes no longer exist. Changes the database and the data directory.

import type { Settings } from '#config/settings.ts'
import { openStorage } from '#src/app/storage.ts'
import { dropDemoLedger } from '#src/ledger/drop-demo-ledger.ts'
import { removeMarks } from '#src/ledger/mark/keep-in-file.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { type Cli, say } from '../cli-context.ts'
import { UsageError } from '../exit-code.ts'

/**
 * The sandbox loses everything when it stops, so the ledger must not contain the recipients of an earlier demo.
 * @throws UsageError if another demo is running
 */
export async function clearPreviousDemo(cli: Cli, settings: Settings): Promise<void> {
  const storage = await openStorage(settings, { clock: cli.clock, notice: (text) => say(cli, text) })
  try {
    await using database = openDatabase(storage.url, { connections: 2 })
    if (!(await dropDemoLedger(database)))
      throw new UsageError(
        settings.databaseUrl
          ? 'Another demo is running on this server. Wait until it has finished.'
          : 'Another demo is running on this data directory. Wait until it has finished, or set CREDSYNC_DATA_DIR to another directory.',
      )
    await removeMarks(settings.dataDir)
  } finally {
    await storage.release()
  }
}
