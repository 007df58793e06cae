// The only place where the house reads the time or waits for it. Everything else is handed a Clock.

export interface Clock {
  /** The wall clock, for dates that people read. Decisions about sending use the database's clock instead. */
  now(): Date
  /** Milliseconds that never run backwards, for measuring spans within this process. */
  monotonicMs(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Node lets a longer timer go off at once. */
const longestTimerMs = 2 ** 31 - 1

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
        if (leftMs > longestTimerMs) {
          timer = setTimeout(wake, longestTimerMs, leftMs - longestTimerMs)
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
