// The worker of this ledger: does one run, with the settings that the file has now, and if none does, could its health pages be served?

import { once } from 'node:events'
import { createServer } from 'node:net'
import { fingerprintOf } from '#config/fingerprint.ts'
import type { App } from '#src/app.ts'
import { type ShownWorker, shownWorkers } from '#src/ledger/shown-worker.ts'
import type { Check } from './check-app.ts'
import { whereabouts } from './worker-words.ts'

type Asked = Pick<App, 'database' | 'ledger' | 'settings' | 'exclusive'>

/** The worker that runs on this ledger and holds its lock; null when there is none, and where workers hold none (Redis). */
export async function runningWorker({
  database,
  ledger,
}: Pick<App, 'database' | 'ledger'>): Promise<ShownWorker | null> {
  const shown = await shownWorkers(database)
  return shown.find(({ environment, running }) => running && environment === ledger.environment) ?? null
}

/** Why nothing should be handed over to this worker; null when it was told the same as we. */
export function otherSettings(worker: ShownWorker, settings: App['settings']): string | null {
  if (worker.configuration === fingerprintOf(settings)) return null
  return `The worker runs with an older configuration; restart it (${whereabouts(worker)}). It reads ${settings.configPath} when it starts, and not again`
}

export async function checkWorker(app: Asked): Promise<Check[]> {
  const worker = await runningWorker(app)
  // Where workers share a Redis nobody knows whether one runs: it may be the one that has the port.
  if (!worker) return app.exclusive ? checkPort(app.settings.file.web) : []
  const older = otherSettings(worker, app.settings)
  // No fault: whoever has just changed the file checks it before the restart.
  return [{ what: 'worker', ok: true, sentence: `runs: ${whereabouts(worker)}`, ...(older && { notices: [older] }) }]
}

/** A port is tried by listening on it for a moment: nothing else tells that one may. */
async function checkPort({ host, port }: { host: string; port: number }): Promise<Check[]> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return []
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const sentence = `the health pages cannot listen on ${host}, port ${port} (${code}). Set web.host and web.port to what is free; port 0 takes any`
    return [{ what: 'web', ok: false, sentence }]
  } finally {
    server.close()
  }
}
