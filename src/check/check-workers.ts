// Finds the running workers of this ledger and checks that they use the current settings. Reads the database.

import { fingerprintOf } from '#config/fingerprint.ts'
import type { App } from '#src/app/app.ts'
import { type RegisteredWorker, registeredWorkers } from '#src/ledger/workers/worker-registration.ts'
import { type Check, faulty, passed } from './check-result.ts'
import { workerLocation } from './describe-worker.ts'
import type { Parts } from './open-parts.ts'

/** Returns the running workers of this ledger and environment: at most one without Redis, any number with it. */
export async function runningWorkers({
  database,
  ledger,
}: Pick<App, 'database' | 'ledger'>): Promise<RegisteredWorker[]> {
  return (await registeredWorkers(database)).filter(({ environment }) => environment === ledger.environment)
}

/** Returns the running worker; if there are several, any one of them. */
export async function runningWorker(parts: Pick<App, 'database' | 'ledger'>): Promise<RegisteredWorker | null> {
  return (await runningWorkers(parts))[0] ?? null
}

/** Explains why no work should be given to this worker; null if it has the same settings as this process. */
export function olderSettingsSentence(worker: RegisteredWorker, settings: App['settings']): string | null {
  if (worker.configuration === fingerprintOf(settings)) return null
  return `The worker runs with an older configuration; restart it (${workerLocation(worker)}). It reads ${settings.configPath} only when it starts`
}

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
