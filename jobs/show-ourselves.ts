// A worker shows itself in the ledger: to people who look for it, and where several share a Redis to the others, which take up its work when it
// dies. There each holds a lock of its own, which goes with the process, and its part of the lock that a worker without Redis holds alone.

import { hostname } from 'node:os'
import type { App } from '#src/app.ts'
import type { Session } from '#src/database/database.ts'
import { lockOf } from '#src/ledger/shown-worker.ts'
import { type Holding, keepAlive } from './keep-alive.ts'

export interface ShownHere {
  /** Settles when this worker must not go on: one of the other kind, with Redis or without it, has begun. */
  readonly lost: Promise<void>
  /**
   * Whether this worker has been among the others without a gap for longer than one of them may be silent. Who has just begun, stood still, or was
   * cut off as all were when the database started anew, cannot tell who is dead.
   */
  mayBury(): boolean
  /** @param isClean whether nothing was left under way, so that nobody need look after it */
  end(isClean: boolean): Promise<void>
}

/**
 * @param only the lock that makes this worker the only one; null where there may be several
 * @returns null where several share a Redis and one without it works on this ledger
 */
export async function showOurselves(app: App, only: Session | null): Promise<ShownHere | null> {
  const self = { host: hostname(), pid: process.pid, configuration: app.configuration, store: null }
  if (only) {
    await app.ledger.showWorker(self, only)
    return { lost: only.lost, mayBury: () => false, end: async () => {} }
  }
  const store = await app.queues.storeId()
  const show = async (known: string | null) => {
    const held = await app.ledger.joinWorkers(app.instance)
    if (held === null || held === 'alone') return held
    await app.ledger.showWorker({ ...self, store: known }, held, lockOf(app.instance))
    return holding(held)
  }
  const first = await show(store)
  if (first === 'alone') return null
  await compareStores(app)
  const ending = new AbortController()
  const lost = Promise.withResolvers<void>()
  const life = { since: app.clock.monotonicMs(), last: app.clock.monotonicMs() }
  const living = keepAlive(app, { held: first, show, store, life, lose: lost.resolve, signal: ending.signal })
  return {
    lost: lost.promise,
    mayBury() {
      const { silent } = app.tuning.aliveMs
      const now = app.clock.monotonicMs()
      return now - life.since > silent && now - life.last < silent
    },
    async end(isClean) {
      ending.abort()
      const held = await living
      await held?.session.release()
      // The next sweep of another worker finds it otherwise, and says that it died.
      if (isClean) await app.ledger.workers.forget([app.instance]).catch(() => {})
    },
  }
}

function holding(session: Session): Holding {
  const held = { session, isLost: false }
  void session.lost.then(() => {
    held.isLost = true
  })
  return held
}

/** One that was given another REDIS_URL works all the same, beside the others and not with them: nothing else would say so. */
async function compareStores({ ledger, instance, log }: App): Promise<void> {
  const others = await ledger.workers.withOtherStore(instance)
  if (others.length > 0) log.event('queue.apart', { instance, count: others.length })
}
