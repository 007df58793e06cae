// A worker under a supervisor, as in an installation: if it exits or fails to start, it is started again.

import type { Settings } from '#config/settings.ts'
import { startWorker } from '#jobs/worker.ts'
import { openApp } from '#src/app/app.ts'
import type { Tuning } from '#src/app/tuning.ts'
import type { WorkName } from '#src/cli/job-actions.ts'
import type { EventName } from '#src/platform/log/events.ts'
import type { Log } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export interface SupervisedWorker extends AsyncDisposable {
  /** Instance ids of every worker that started work, in order. */
  readonly instances: readonly string[]
  /** Errors so far: faults in the log, and starts that failed. */
  errorCount(): number
  /** How many times all workers together logged the event. */
  logged(event: EventName): number
  /** Stops the worker normally, and then the supervisor. */
  stop(): Promise<void>
}

/** Short enough that a run of seconds shows what takes minutes in production. */
export const briefTuning: Partial<Tuning> = { sweepMs: 200, lostAfterMs: 500, stopMs: 5_000 }

const restartDelayMs = 150

export function superviseWorker(
  settings: Settings,
  { only, tuning = {} }: { only?: readonly WorkName[]; tuning?: Partial<Tuning> } = {},
): SupervisedWorker {
  const ending = new AbortController()
  const ended = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()))
  const instances: string[] = []
  const counts = new Map<EventName, number>()
  let failedStarts = 0
  const log: Log = { event: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1) }

  async function workOnce(): Promise<void> {
    const appOptions = { clock: systemClock, log, random: () => 0.5, tuning: { ...briefTuning, ...tuning } }
    await using app = await openApp(settings, appOptions)
    const worker = await startWorker(app, only)
    if (!worker) return
    instances.push(app.instance)
    await Promise.race([worker.lost, ended])
    await worker.stop()
  }
  async function supervise(): Promise<void> {
    while (!ending.signal.aborted) {
      await workOnce().catch(() => {
        failedStarts++
      })
      await systemClock.sleep(restartDelayMs, ending.signal).catch(() => {})
    }
  }
  const supervising = supervise()
  const stop = () => {
    ending.abort()
    return supervising
  }
  return {
    instances,
    errorCount: () => failedStarts + (counts.get('fault') ?? 0),
    logged: (event) => counts.get(event) ?? 0,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
