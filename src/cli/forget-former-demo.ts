// Before a demo: what an earlier one left in the ledger goes, for its sandboxes are gone as well.

import type { Settings } from '#config/settings.ts'
import { openDatabase } from '#src/database/database.ts'
import { forgetLedger } from '#src/ledger/forget-ledger.ts'
import { openStorage } from '#src/storage.ts'
import { UsageError } from './exit-code.ts'
import { type Cli, say } from './surroundings.ts'

/** The sandbox forgets everything when it ends, so its people must be unknown to the ledger too. @throws UsageError */
export async function forgetFormerDemo(cli: Cli, settings: Settings): Promise<void> {
  const storage = await openStorage(settings, { clock: cli.clock, notice: (text) => say(cli, text) })
  try {
    await using database = openDatabase(storage.url, { connections: 2 })
    if (!(await forgetLedger(database)))
      throw new UsageError(
        'Another demo is running on this data directory. Wait for its end, or set CREDSYNC_DATA_DIR to another one.',
      )
  } finally {
    await storage.release()
  }
}
