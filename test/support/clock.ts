// A clock that only moves when a test moves it. Sleepers wake in order when their time has come.

import type { Clock } from '#src/time/clock.ts'

export interface SteppedClock extends Clock {
  /** Moves time forward and lets everybody wake whose time has come, one after the other. */
  advance(ms: number): Promise<void>
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
        const next = sleepers.filter((each) => each.at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        elapsed = Math.max(elapsed, next.at)
        sleepers = sleepers.filter((each) => each !== next)
        next.wake()
        await settle()
      }
      elapsed = until
      await settle()
    },
  }
}
