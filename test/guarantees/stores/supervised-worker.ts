// A worker under a supervisor, as an installation runs it: one that ends or cannot start is started again.

import type { Settings } from '#config/settings.ts'
import { startWorker } from '#jobs/worker.ts'
import { openApp } from '#src/app.ts'
import type { WorkName } from '#src/cli/doing.ts'
import type { EventName } from '#src/log/events.ts'
import type { Log } from '#src/log/log.ts'
import { systemClock } from '#src/time/clock.ts'
import type { Tuning } from '#src/tuning.ts'

export interface SupervisedWorker extends AsyncDisposable {
  /** Instances of every worker that got to work, in order. */
  readonly instances: readonly string[]
  /** Complaints so far: faults in the log, and starts that failed. */
  complaints(): number
  /** How often the event was logged, by all its workers together. */
  logged(event: EventName): number
  /** Stops the worker in an orderly way, and the supervisor. */
  stop(): Promise<void>
}

/** As short as lets a run of seconds show what takes minutes outside. */
export const briefTuning: Partial<Tuning> = { sweepMs: 50, lostAfterMs: 500, stopMs: 5_000 }

const againMs = 150

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
    const around = { clock: systemClock, log, random: () => 0.5, tuning: { ...briefTuning, ...tuning } }
    await using app = await openApp(settings, around)
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
      await systemClock.sleep(againMs, ending.signal).catch(() => {})
    }
  }
  const supervising = supervise()
  const stop = () => {
    ending.abort()
    return supervising
  }
  return {
    instances,
    complaints: () => failedStarts + (counts.get('fault') ?? 0),
    logged: (event) => counts.get(event) ?? 0,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
