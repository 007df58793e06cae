// The moment at which a delivery says that it was signed, and whether that is near enough to now.

import { refuse, type Verdict } from './delivery.ts'

/** Both ways, as the libraries of Standard Webhooks have it. */
export const toleranceMs = 5 * 60_000

export type InstantFormat = 'epoch-seconds' | 'epoch-ms' | 'iso'

/** Null when the time is near enough. What is refused is a replay, or comes from a clock that is wrong. */
export function refuseInstant(written: string | undefined, format: InstantFormat, now: Date): Verdict | null {
  if (written === undefined) return refuse('timestamp-missing')
  const at = instantMs(written, format)
  if (at === null) return refuse('timestamp-unreadable')
  return Math.abs(now.getTime() - at) > toleranceMs ? refuse('timestamp-outside-tolerance') : null
}

function instantMs(written: string, format: InstantFormat): number | null {
  if (format === 'iso') {
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(written)) return null
    const at = Date.parse(written)
    return Number.isNaN(at) ? null : at
  }
  if (!/^\d{1,15}$/.test(written)) return null
  return Number(written) * (format === 'epoch-seconds' ? 1_000 : 1)
}
