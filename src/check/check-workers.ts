// Checks that the running workers of this ledger use the current settings. Reads the database.

import { olderSettingsSentence, runningWorkers } from '#src/app/running-workers.ts'
import { workerLocation } from '#src/issuing/descriptions/describe-worker.ts'
import { type Check, faulty, passed } from './check-result.ts'
import type { Parts } from './open-parts.ts'

export async function checkWorkers({ database, ledger, settings, storeId }: Parts): Promise<Check[]> {
  if (!database || !ledger) return []
  const workers = await runningWorkers({ database, ledger })
  // Not a fault: before the first start there is no worker.
  if (workers.length === 0) return [passed('worker', 'no worker is running on this ledger')]
  return workers.map((worker) => {
    if (storeId !== null && worker.store !== null && worker.store !== storeId)
      return faulty(
        'worker',
        `uses another Redis, or another database in Redis, than REDIS_URL of this process: ${workerLocation(worker)}`,
        'Give every worker and every command of this ledger the same REDIS_URL, including the database number at its end',
      )
    const olderSentence = olderSettingsSentence(worker, settings)
    // Not a fault either: the configuration is often checked after a change and before the restart.
    return passed(
      'worker',
      `runs: ${workerLocation(worker)}`,
      olderSentence === null ? {} : { notices: [olderSentence] },
    )
  })
}
