// Turns the first SIGINT or SIGTERM into an aborted signal, and lets a later one end the process.

import type { Clock } from '#src/platform/time/clock.ts'

interface Process {
  on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): unknown
}

/**
 * How long a repeated signal counts as the same Ctrl-C: a terminal signals the whole process group, and npm, or
 * credsync.mjs under an older Node, forwards the signal as well. On a busy machine that takes a second or more.
 */
const sameSignalMs = 3_000

/**
 * Returns a signal that is aborted by the first SIGINT or SIGTERM. A later one ends the process immediately, which is
 * safe: rows that are being sent are `sending` in the ledger.
 */
export function abortOnSignal(running: Process, clock: Pick<Clock, 'monotonicMs'>): AbortSignal {
  const controller = new AbortController()
  let firstSignalMs = Number.POSITIVE_INFINITY
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    running.on(name, () => {
      if (clock.monotonicMs() - firstSignalMs > sameSignalMs) running.exit(name === 'SIGINT' ? 130 : 1)
      if (controller.signal.aborted) return
      firstSignalMs = clock.monotonicMs()
      controller.abort(name)
    })
  return controller.signal
}
