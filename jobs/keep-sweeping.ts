// The sweeper's timer: a sweep, a look at whose inbox is due, a pause, and so on until the worker stops.

import type { App } from '#src/app.ts'
import type { Session } from '#src/database/database.ts'
import { sweepNow } from './sweep.ts'
import { askForLooks } from './watch-inboxes.ts'
import { standstill } from './watch-progress.ts'

export interface Sweeping {
  stop(): Promise<void>
}

/** Sweeps until stopped. A sweep that fails is logged and the next one tries again: the ledger remembers everything. */
export function keepSweeping(app: App, lock: Session | null, inboxes: boolean): Sweeping {
  const ending = new AbortController()
  const turns = app.progress.watch('sweep', standstill.sweep)
  async function loop() {
    while (!ending.signal.aborted) {
      turns.turned()
      const fault = (where: string) => (error: Error) => app.log.event('fault', { where, error: error.name })
      await sweepNow(app, lock).catch(fault('sweep'))
      if (inboxes) await askForLooks(app).catch(fault('inboxes'))
      await app.clock.sleep(app.tuning.sweepMs, ending.signal).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async stop() {
      ending.abort()
      turns.end()
      await looping
    },
  }
}
