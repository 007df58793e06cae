// Clocks for tests: one that moves only when a test moves it, and real clocks that record sleeps or stand still within
// one turn of the event loop.

import { type Clock, systemClock } from '#src/platform/time/clock.ts'

/** Moves only when a test moves it. Sleepers wake in the order of their due times. */
export interface SteppedClock extends Clock {
  /** Moves the time forward and wakes all sleepers that are due, one after the other. */
  advance(ms: number): Promise<void>
}

/** The real clock, with a record of completed sleeps. */
export interface NotedClock extends Clock {
  /** Sleeps that ran to their end, in milliseconds. Sleeps that were aborted early are not included. */
  readonly slept: readonly number[]
}

export function notedClock(): NotedClock {
  const slept: number[] = []
  const sleep: Clock['sleep'] = async (ms, signal) => {
    await systemClock.sleep(ms, signal)
    slept.push(ms)
  }
  return { ...systemClock, sleep, slept }
}

/**
 * The real clock, except that it stands still within one turn of the event loop. Two readings in one turn are therefore
 * equal, even if other work blocks the process between them.
 */
export function turnClock(): Clock {
  let now: number | null = null
  const monotonicMs = () => {
    if (now === null)
      setImmediate(() => {
        now = null
      })
    now ??= systemClock.monotonicMs()
    return now
  }
  return { ...systemClock, monotonicMs }
}

export function steppedClock(start = new Date('2026-03-01T12:00:00Z')): SteppedClock {
  let elapsed = 0
  let sleepers: { at: number; wake: () => void }[] = []
  const settle = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    now: () => new Date(start.getTime() + elapsed),
    monotonicMs: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = { at: elapsed + ms, wake: resolve }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((each) => each !== sleeper)
          reject(signal.reason)
        })
      }),
    async advance(ms) {
      const until = elapsed + ms
      await settle()
      for (;;) {
        const next = sleepers.filter((sleeper) => sleeper.at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        elapsed = Math.max(elapsed, next.at)
        sleepers = sleepers.filter((sleeper) => sleeper !== next)
        next.wake()
        await settle()
      }
      elapsed = until
      await settle()
    },
  }
}
