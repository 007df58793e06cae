// A worker among several says every few seconds that it lives, gets its locks back when their connection was lost, and tells when the store of
// its queues has become another one.

import type { App } from '#src/app.ts'
import type { Session } from '#src/database/database.ts'
import { faultName } from '#src/log/fault-name.ts'

/** A connection with which this worker is shown. */
export interface Holding {
  session: Session
  isLost: boolean
}

export interface Alive {
  held: Holding | null
  /** Shows the worker anew; `alone` where one without Redis has begun meanwhile. */
  show(store: string | null): Promise<Holding | 'alone' | null>
  /** The store as it was last shown. */
  store: string | null
  /** On the monotonic clock: since when without a gap, and last. */
  life: { since: number; last: number }
  /** This worker must not go on. */
  lose(): void
  signal: AbortSignal
}

/** Through outages of the database; @returns what is held in the end */
export async function keepAlive(app: App, alive: Alive): Promise<Holding | null> {
  const { clock, log, ledger, tuning, instance } = app
  const { every, silent } = tuning.aliveMs
  const { life, signal } = alive
  for (;;) {
    try {
      await clock.sleep(every, signal)
    } catch {
      return alive.held
    }
    try {
      if (!alive.held || alive.held.isLost) await showAgain(app, alive)
      const isKnown = await ledger.workers.noteAlive(instance)
      // Others took it for dead. What it is doing goes on; they may hold its outcome for unknown.
      if (!isKnown && alive.held) alive.held.isLost = true
      const now = clock.monotonicMs()
      if (now - life.last >= silent) life.since = now
      life.last = now
      await showStore(app, alive)
    } catch (error) {
      log.event('fault', { where: 'worker shown', error: faultName(error) })
    }
  }
}

async function showAgain({ log, instance }: App, alive: Alive): Promise<void> {
  const lost = alive.held
  alive.held = null
  await lost?.session.release()
  const again = await alive.show(alive.store)
  if (again !== 'alone') {
    alive.held = again
    return
  }
  log.event('worker.displaced', { instance })
  alive.lose()
}

/** A Redis that was emptied has a new id, which each worker finds here. */
async function showStore({ queues, ledger, instance }: App, alive: Alive): Promise<void> {
  const store = await queues.storeId()
  if (store === null || store === alive.store) return
  await ledger.workers.noteStore(instance, store)
  alive.store = store
}
