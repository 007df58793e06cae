// The workers of this ledger: do any run, and were they told the settings that the file has now?

import { fingerprintOf } from '#config/fingerprint.ts'
import type { App } from '#src/app.ts'
import { type ShownWorker, shownWorkers } from '#src/ledger/shown-worker.ts'
import { bad, type Check, good } from './check.ts'
import type { Parts } from './open-parts.ts'
import { whereabouts } from './worker-words.ts'

/** The workers that run on this ledger for our environment: one at most without Redis, any number with it. */
export async function runningWorkers({ database, ledger }: Pick<App, 'database' | 'ledger'>): Promise<ShownWorker[]> {
  return (await shownWorkers(database)).filter(({ environment }) => environment === ledger.environment)
}

/** The one that holds the ledger's lock, where there may be one only. */
export async function runningWorker(of: Pick<App, 'database' | 'ledger'>): Promise<ShownWorker | null> {
  return (await runningWorkers(of))[0] ?? null
}

/** Why nothing should be handed over to this worker; null when it was told the same as we. */
export function otherSettings(worker: ShownWorker, settings: App['settings']): string | null {
  if (worker.configuration === fingerprintOf(settings)) return null
  return `The worker runs with an older configuration; restart it (${whereabouts(worker)}). It reads ${settings.configPath} when it starts, and not again`
}

export async function checkWorkers({ database, ledger, settings, storeId }: Parts): Promise<Check[]> {
  if (!database || !ledger) return []
  const workers = await runningWorkers({ database, ledger })
  // No fault: whoever checks before the first start has none.
  if (workers.length === 0) return [good('worker', 'none runs on this ledger')]
  return workers.map((worker) => {
    if (storeId !== null && worker.store !== null && worker.store !== storeId)
      return bad(
        'worker',
        `works with another Redis, or another database of it, than REDIS_URL names here: ${whereabouts(worker)}`,
        'Give every worker and every command of this ledger the same REDIS_URL, the number at its end included',
      )
    const older = otherSettings(worker, settings)
    // No fault either: whoever has just changed the file checks it before the restart.
    return good('worker', `runs: ${whereabouts(worker)}`, older === null ? {} : { notices: [older] })
  })
}
