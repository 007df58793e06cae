// The sweeper's timer: a sweep, a look at whose inbox is due, a pause, and so on until the worker stops.

import type { App } from '#src/app.ts'
import { DatabaseUnreachableError } from '#src/database/database.ts'
import { faultName } from '#src/log/fault-name.ts'
import type { Standing } from './lose-calls.ts'
import { sweepNow } from './sweep.ts'
import { askForLooks } from './watch-inboxes.ts'
import { standstill } from './watch-progress.ts'

export interface Sweeping {
  stop(): Promise<void>
}

/** Sweeps until stopped. A sweep that fails is logged and the next one tries again: the ledger remembers everything. */
export function keepSweeping(app: App, standing: Standing, inboxes: boolean): Sweeping {
  const ending = new AbortController()
  const turns = app.progress.watch('sweep', standstill.sweep)
  async function loop() {
    while (!ending.signal.aborted) {
      const fault = (where: string) => (error: Error) => app.log.event('fault', { where, error: faultName(error) })
      const failed = await sweepNow(app, standing).then(
        () => null,
        (error: Error) => error,
      )
      if (failed) fault('sweep')(failed)
      // Who gets no connection while others do has lost its own somewhere: only a new start brings them back. See watch-progress.ts.
      if (!(failed instanceof DatabaseUnreachableError)) turns.turned()
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
