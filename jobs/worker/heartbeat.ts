// Records in the ledger every few seconds that this worker is alive. Takes the worker's locks again when their
// connection was lost, and records a replaced queue store.

import type { App } from '#src/app/app.ts'
import type { Session } from '#src/platform/database/database.ts'
import { faultName } from '#src/platform/log/fault-name.ts'

/** A connection under which this worker is registered. */
export interface HeldSession {
  session: Session
  isLost: boolean
}

export interface Heartbeat {
  held: HeldSession | null
  /** Registers the worker again; returns `alone` if a worker without Redis has started in the meantime. */
  register(store: string | null): Promise<HeldSession | 'alone' | null>
  /** The id of the queue store as last recorded. */
  store: string | null
  /** Times on the monotonic clock: the start of the uninterrupted heartbeats, and the last heartbeat. */
  life: { since: number; last: number }
  /** Reports that this worker must stop. */
  reportLost(): void
  signal: AbortSignal
}

/** Continues through database outages. @returns the session that is held at the end */
export async function beatUntilStopped(app: App, heartbeat: Heartbeat): Promise<HeldSession | null> {
  const { clock, log, ledger, tuning, instance } = app
  const { every, silent } = tuning.aliveMs
  const { life, signal } = heartbeat
  for (;;) {
    try {
      await clock.sleep(every, signal)
    } catch {
      return heartbeat.held
    }
    try {
      if (!heartbeat.held || heartbeat.held.isLost) await registerAgain(app, heartbeat)
      const isKnown = await ledger.workers.noteAlive(instance)
      // Another worker has declared this one dead, and may have marked its calls as unknown. This worker continues.
      if (!isKnown && heartbeat.held) heartbeat.held.isLost = true
      const now = clock.monotonicMs()
      if (now - life.last >= silent) life.since = now
      life.last = now
      await recordStore(app, heartbeat)
    } catch (error) {
      log.event('fault', { where: 'worker shown', error: faultName(error) })
    }
  }
}

async function registerAgain({ log, instance }: App, heartbeat: Heartbeat): Promise<void> {
  const lost = heartbeat.held
  heartbeat.held = null
  await lost?.session.release()
  const newSession = await heartbeat.register(heartbeat.store)
  if (newSession !== 'alone') {
    heartbeat.held = newSession
    return
  }
  log.event('worker.displaced', { instance })
  heartbeat.reportLost()
}

/** Records the id of the queue store if it has changed, as it does when Redis was emptied. */
async function recordStore({ queues, ledger, instance }: App, heartbeat: Heartbeat): Promise<void> {
  const store = await queues.storeId()
  if (store === null || store === heartbeat.store) return
  await ledger.workers.noteStore(instance, store)
  heartbeat.store = store
}
