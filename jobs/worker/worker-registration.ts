// Registers a worker in the ledger, for operators and, where several workers share a Redis, for the other workers,
// which take over its work if it dies. Each worker with Redis holds a lock of its own, which ends with the process, and
// a share of the lock that a worker without Redis holds exclusively.

import { hostname } from 'node:os'
import type { App } from '#src/app/app.ts'
import { type WorkName, workNames } from '#src/cli/job-actions.ts'
import { differingIdentities } from '#src/issuing/pipelines/differing-identities.ts'
import { workerLockName } from '#src/ledger/workers/worker-registration.ts'
import type { Session } from '#src/platform/database/database.ts'
import { beatUntilStopped, type HeldSession } from './heartbeat.ts'

export interface Registration {
  /** Settles when this worker must stop because one of the other kind (with Redis or without) has started. */
  readonly lost: Promise<void>
  /**
   * Returns true if this worker has been registered without a gap for longer than another worker may be silent. A
   * worker that has just started, stalled, or was disconnected (as all are when the database restarts) cannot tell
   * which other workers are dead.
   */
  canReap(): boolean
  /** @param isClean whether no job was abandoned, so that no other worker has to clean up */
  end(isClean: boolean): Promise<void>
}

/**
 * @param work the parts of the work that it does
 * @param exclusiveLock the lock that makes this worker the only one; null where there may be several workers
 * @returns null if this worker uses Redis and a worker without Redis runs on this ledger
 */
export async function registerWorker(
  app: App,
  exclusiveLock: Session | null,
  work: readonly WorkName[] = workNames,
): Promise<Registration | null> {
  const ownRecord = { host: hostname(), pid: process.pid, configuration: app.settingsHash, store: null, work }
  if (exclusiveLock) {
    await app.ledger.workers.record(ownRecord, exclusiveLock)
    return { lost: exclusiveLock.lost, canReap: () => false, end: async () => {} }
  }
  const store = await app.queues.storeId()
  const register = async (knownStore: string | null) => {
    const session = await app.ledger.workers.join(app.instance)
    if (session === null || session === 'alone') return session
    await app.ledger.workers.record({ ...ownRecord, store: knownStore }, session, workerLockName(app.instance))
    return holdSession(session)
  }
  const firstSession = await register(store)
  if (firstSession === 'alone') return null
  await compareStores(app)
  const ending = new AbortController()
  const lost = Promise.withResolvers<void>()
  const life = { since: app.clock.monotonicMs(), last: app.clock.monotonicMs() }
  const beating = beatUntilStopped(app, {
    held: firstSession,
    register,
    store,
    life,
    reportLost: lost.resolve,
    signal: ending.signal,
  })
  return {
    lost: lost.promise,
    canReap() {
      const { silent } = app.tuning.aliveMs
      const now = app.clock.monotonicMs()
      return now - life.since > silent && now - life.last < silent
    },
    async end(isClean) {
      ending.abort()
      const heldSession = await beating
      await heldSession?.session.release()
      // Otherwise the next sweep of another worker would report this worker as dead.
      if (isClean) await app.ledger.workers.forget([app.instance]).catch(() => {})
    },
  }
}

function holdSession(session: Session): HeldSession {
  const held = { session, isLost: false }
  void session.lost.then(() => {
    held.isLost = true
  })
  return held
}

/**
 * Warns about a worker with another REDIS_URL: it works alongside the others without sharing their queues and limits,
 * and nothing else would show that.
 */
async function compareStores({ ledger, instance, log }: App): Promise<void> {
  const others = await ledger.workers.withOtherStore(instance)
  if (others.length > 0) log.event('queue.apart', { instance, count: others.length })
}

/**
 * Logs a warning at the start of a worker if pipelines of one course identify people by different rules. Uses only the
 * configuration; `check` also queries the service.
 */
export function warnOfDifferingIdentities({ pipelines, log }: Pick<App, 'pipelines' | 'log'>): void {
  const all = pipelines.names.map((name) => {
    const pipeline = pipelines.named(name)
    return { name, course: pipeline.course ?? `number ${pipeline.courseNumber}`, pipeline }
  })
  for (const { pipelines: names, course } of differingIdentities(all))
    log.event('course.two_identities', { pipeline: names[0], label: names[1], course })
}
