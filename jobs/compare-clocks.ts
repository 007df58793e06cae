// The service's clock, which its first answer to this worker tells: far from ours, dates of requests mislead.

import type { App } from '#src/app.ts'
import { mostToServiceMs } from '#src/check/check-clocks.ts'

/** A worker that finds a token in Redis may ask the service nothing for a long time. */
const everyMs = 10_000

/** Looks until an answer has told the time, once, and says it in the log when it is far off. */
export function compareClocks({ issuer, clock, log }: Pick<App, 'issuer' | 'clock' | 'log'>): { stop(): void } {
  const ending = new AbortController()
  async function look(): Promise<void> {
    for (;;) {
      const offset = issuer.clockOffsetMs()
      if (offset !== null) {
        if (Math.abs(offset) > mostToServiceMs) log.event('clock.apart', { ms: Math.round(offset) })
        return
      }
      await clock.sleep(everyMs, ending.signal)
    }
  }
  look().catch(() => {})
  return { stop: () => ending.abort() }
}
