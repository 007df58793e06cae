// A worker shows itself in the ledger, for people who look for it: with the lock that makes it the only one, or, where several share a Redis,
// with one of its own.

import { hostname } from 'node:os'
import type { App } from '#src/app.ts'
import type { Session } from '#src/database/database.ts'

export interface ShownHere {
  end(): Promise<void>
}

/** After the connection was lost: a database that starts anew takes some seconds. */
const againMs = 5_000

/** @param only the lock that makes this worker the only one; null where there may be several */
export async function showOurselves(app: App, only: Session | null): Promise<ShownHere> {
  const self = { host: hostname(), pid: process.pid, configuration: app.configuration }
  if (only) {
    await app.ledger.showWorker(self, only)
    return { end: async () => {} }
  }
  const name = `worker:${app.instance}`
  let held: Session | null = null
  const show = async () => {
    await held?.release()
    held = await app.ledger.holdLock(name)
    if (held) await app.ledger.showWorker(self, held, name)
  }
  await show()
  const ending = new AbortController()
  const keeping = keepShown(app, { show, lost: () => held?.lost ?? null, signal: ending.signal })
  return {
    async end() {
      ending.abort()
      await keeping
      await held?.release()
    },
  }
}

interface Keeping {
  show(): Promise<void>
  /** Null when nothing is held. */
  lost(): Promise<void> | null
  signal: AbortSignal
}

/** A worker on Redis outlives an outage of the database, and is shown again after it. */
async function keepShown({ clock, log }: App, { show, lost, signal }: Keeping): Promise<void> {
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  for (;;) {
    await Promise.race([lost(), ended])
    try {
      await clock.sleep(againMs, signal)
    } catch {
      return
    }
    await show().catch((error: Error) => log.event('fault', { where: 'worker shown', error: error.name }))
  }
}
