// Finds the running workers of this ledger, and says whether they use the settings of this process. Reads the database.

import { fingerprintOf } from '#config/fingerprint.ts'
import { workerLocation } from '#src/issuing/descriptions/describe-worker.ts'
import { doesOneOf, type RegisteredWorker, registeredWorkers } from '#src/ledger/workers/worker-registration.ts'
import type { App } from './app.ts'

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

/**
 * Returns the running workers that read lists or issue what is on them. What happens to a list depends on the settings
 * of each of them, and not on those of a process that only serves the console.
 */
export async function workersOfLists(parts: Pick<App, 'database' | 'ledger'>): Promise<RegisteredWorker[]> {
  return (await runningWorkers(parts)).filter((worker) => doesOneOf(worker, ['intake', 'issue']))
}

/** Says which of these workers have other settings than this process; null if none has. Pure. */
export function otherSettingsSentence(workers: readonly RegisteredWorker[], settings: App['settings']): string | null {
  const others = workers.filter(({ configuration }) => configuration !== fingerprintOf(settings))
  if (others.length === 0) return null
  return `${others.length === 1 ? 'A worker has' : `${others.length} workers have`} other settings than this console (${others.map(workerLocation).join('; ')}), so the list would be issued otherwise than it was rehearsed. Restart what was started before the settings were changed`
}

/** Explains why no work should be given to this worker; null if it has the same settings as this process. */
export function olderSettingsSentence(worker: RegisteredWorker, settings: App['settings']): string | null {
  if (worker.configuration === fingerprintOf(settings)) return null
  return `The worker runs with an older configuration; restart it (${workerLocation(worker)}). It reads ${settings.configPath} only when it starts`
}
