// Compares our clock with the service's, once its first answer has arrived, and logs a large difference, because the
// dates of requests would be misleading. Makes no requests.

import type { App } from '#src/app/app.ts'
import { maxServiceSkewMs } from '#src/check/check-clocks.ts'

/**
 * How often to check for the first answer. A worker that finds a token in Redis may not make its first call for a
 * while.
 */
const checkEveryMs = 10_000

/** Waits for the first answer that carries the service's time, and logs once if our clock is far off. */
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
