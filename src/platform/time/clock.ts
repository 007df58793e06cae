// The system clock. Only this file reads the time or sets timers; all other code receives a Clock.

export interface Clock {
  /** The wall clock, for dates that people read. Decisions about sending use the database's clock instead. */
  now(): Date
  /** Milliseconds that never run backwards, for measuring time spans within this process. */
  monotonicMs(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Node fires a timer with a longer delay immediately. */
const maxTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const wake = (leftMs: number) => {
        if (leftMs > maxTimerMs) {
          timer = setTimeout(wake, maxTimerMs, leftMs - maxTimerMs)
          return
        }
        timer = setTimeout(() => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        }, leftMs)
      }
      let timer: NodeJS.Timeout | undefined
      wake(ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
