// Starts and stops a worker in this process: its registration, the jobs on their queues, the sweep, the watchdog and
// the comparison of clocks.

import { startNoticeLoop } from '#jobs/notices/notice-loop.ts'
import { compareErasuresAtStart } from '#jobs/privacy/erasure-record.ts'
import { startSweepLoop } from '#jobs/worker/sweep-loop.ts'
import { startWatchdog } from '#jobs/worker/watchdog.ts'
import { type Registration, registerWorker, warnOfDifferingIdentities } from '#jobs/worker/worker-registration.ts'
import type { App } from '#src/app/app.ts'
import { maxServiceSkewMs } from '#src/check/check-clocks.ts'
import { type WorkName, workNames } from '#src/cli/job-actions.ts'
import type { Session } from '#src/platform/database/database.ts'
import { extensionJobs } from './extensions.ts'
import { compareMarkAtStart } from './high-water-mark.ts'
import { attachProcessors, processorsFor } from './processors.ts'

export interface Worker extends AsyncDisposable {
  /**
   * Settles when the worker must stop: because another worker that rules this one out may be running, or, with the
   * error that says so, because a newer version has changed the ledger.
   */
  readonly lost: Promise<Error | undefined>
  /** Takes no new jobs, lets running calls finish within the deadline, and closes. Repeated calls share the result. */
  stop(): Promise<{ unfinished: number }>
}

/**
 * @param options.inboxes true for `start`: inboxes are read, learning systems registered, and the watch is scheduled
 * @returns null if another worker on this ledger rules this one out: without Redis there may be only one
 */
export async function startWorker(
  app: App,
  only: readonly WorkName[] = workNames,
  { inboxes = false } = {},
): Promise<Worker | null> {
  const lock = app.exclusive ? await app.ledger.locks.hold('worker') : null
  if (app.exclusive && !lock) return null
  let registration: Registration | null = null
  try {
    const chosenWork = new Set(only)
    if (app.exclusive) await app.ledger.work.forgetEnqueued()
    registration = await registerWorker(app, lock, only)
    if (!registration) return null
    await compareErasuresAtStart(app)
    await compareMarkAtStart(app)
    for (const { prepare } of extensionJobs) await prepare?.(app, chosenWork, inboxes)
    if (chosenWork.has('reconcile') && inboxes)
      await app.ledger.watching.begin(app.tuning.watch.schedule.next(app.clock.now()))
    await attachProcessors(app.queues, app, chosenWork)
    if (inboxes && chosenWork.has('intake')) await watchInboxes(app)
    const { instance, storage } = app
    app.log.event('worker.started', { instance, storage, environment: app.ledger.environment })
    warnOfDifferingIdentities(app)
    const loops: Loop[] = []
    if (chosenWork.has('sweep')) {
      loops.push(startSweepLoop(app, { lock, canReap: registration.canReap }, inboxes))
      loops.push(startNoticeLoop(app, inboxes))
    }
    return runningWorker(app, {
      lock,
      registration,
      clockComparison: compareClocks(app),
      loops,
    })
  } catch (error) {
    await registration?.end(true)
    await lock?.release()
    throw error
  }
}

async function watchInboxes(app: App): Promise<void> {
  if (app.inboxes.all.length === 0) return
  await app.queues.work('collect', processorsFor(app).collect)
  // A killed process may have left files behind long before the next scheduled scan.
  for (const { pipeline } of app.inboxes.all) await app.queues.enqueue('collect', { pipeline })
}

/** Null if it has nothing to do. */
type Loop = { stop(): Promise<void> } | null

interface RunningParts {
  lock: Session | null
  registration: Registration
  clockComparison: ReturnType<typeof compareClocks>
  loops: readonly Loop[]
}

function runningWorker(app: App, { lock, registration, clockComparison, loops }: RunningParts): Worker {
  let stopped: Promise<{ unfinished: number }> | null = null
  const watchdog = startWatchdog(app, app.tuning.watchMs)
  async function stop() {
    app.log.event('worker.stopping', { instance: app.instance })
    clockComparison.stop()
    await watchdog.end()
    await Promise.all(loops.map((loop) => loop?.stop()))
    // Batches that wait for a place are left to the next worker. Calls that are waiting at a gate count as not sent;
    // running calls still get their answer.
    app.senders.places.stop()
    await app.gates.stop()
    const remaining = await app.queues.stop(app.tuning.stopMs)
    await registration.end(remaining.unfinished === 0)
    await lock?.release()
    app.log.event('worker.stopped', { instance: app.instance, count: remaining.unfinished })
    return remaining
  }
  const stopOnce = () => (stopped ??= stop())
  return {
    lost: Promise.race([registration.lost.then(() => undefined), app.ledger.version.outdated]),
    stop: stopOnce,
    [Symbol.asyncDispose]: async () => void (await stopOnce()),
  }
}

/**
 * How often to check for the first answer. A worker that finds a token in Redis may not make its first call for a
 * while.
 */
const checkEveryMs = 10_000

/**
 * Waits for the first answer that carries the service's time, and logs once if our clock is far off, because the dates
 * of requests would be misleading. Makes no requests.
 */
export function compareClocks({ issuer, clock, log }: Pick<App, 'issuer' | 'clock' | 'log'>): { stop(): void } {
  const controller = new AbortController()
  async function compare(): Promise<void> {
    for (;;) {
      const offset = issuer.clockOffsetMs()
      if (offset !== null) {
        if (Math.abs(offset) > maxServiceSkewMs) log.event('clock.apart', { ms: Math.round(offset) })
        return
      }
      await clock.sleep(checkEveryMs, controller.signal)
    }
  }
  compare().catch(() => {})
  return { stop: () => controller.abort() }
}
