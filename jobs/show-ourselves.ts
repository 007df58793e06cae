// A worker shows itself in the ledger: to people who look for it, and where several share a Redis to the others, which take up its work when it
// dies. There each holds a lock of its own, which goes with the process, and says every few seconds that it lives.

import { hostname } from 'node:os'
import type { App } from '#src/app.ts'
import type { Session } from '#src/database/database.ts'
import { lockOf } from '#src/ledger/shown-worker.ts'

export interface ShownHere {
  /**
   * Whether this worker has been among the others without a gap for longer than one of them may be silent. Who has just begun, stood still, or was
   * cut off as all were when the database started anew, cannot tell who is dead.
   */
  mayBury(): boolean
  /** @param isClean whether nothing was left under way, so that nobody need look after it */
  end(isClean: boolean): Promise<void>
}

/** @param only the lock that makes this worker the only one; null where there may be several */
export async function showOurselves(app: App, only: Session | null): Promise<ShownHere> {
  const self = { host: hostname(), pid: process.pid, configuration: app.configuration }
  if (only) {
    await app.ledger.showWorker(self, only)
    return { mayBury: () => false, end: async () => {} }
  }
  const show = async () => {
    const held = await app.ledger.holdLock(lockOf(app.instance))
    if (held) await app.ledger.showWorker(self, held, lockOf(app.instance))
    return held && holding(held)
  }
  const first = await show()
  const ending = new AbortController()
  const life = { since: app.clock.monotonicMs(), last: app.clock.monotonicMs() }
  const living = keepAlive(app, { held: first, show, life, signal: ending.signal })
  return {
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

interface Holding {
  session: Session
  isLost: boolean
}

function holding(session: Session): Holding {
  const held = { session, isLost: false }
  void session.lost.then(() => {
    held.isLost = true
  })
  return held
}

interface Alive {
  held: Holding | null
  show(): Promise<Holding | null>
  /** On the monotonic clock: since when without a gap, and last. */
  life: { since: number; last: number }
  signal: AbortSignal
}

/** Through outages of the database; @returns what is held in the end */
async function keepAlive({ clock, log, ledger, tuning, instance }: App, { held, show, life, signal }: Alive) {
  const { every, silent } = tuning.aliveMs
  for (;;) {
    try {
      await clock.sleep(every, signal)
    } catch {
      return held
    }
    try {
      if (!held || held.isLost) {
        const lost = held
        held = null
        await lost?.session.release()
        held = await show()
      }
      const isKnown = await ledger.workers.noteAlive(instance)
      // Others took it for dead. What it is doing goes on; they may hold its outcome for unknown.
      if (!isKnown && held) held.isLost = true
      const now = clock.monotonicMs()
      if (now - life.last >= silent) life.since = now
      life.last = now
    } catch (error) {
      log.event('fault', { where: 'worker shown', error: error instanceof Error ? error.name : 'Error' })
    }
  }
}
