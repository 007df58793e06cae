// Checks that the signed timestamp of an event is close enough to the current time. Pure.

import { type AuthVerdict, refuse } from './inbound-request.ts'

/** The tolerance in both directions, as in the libraries of Standard Webhooks. */
export const toleranceMs = 5 * 60_000

export type InstantFormat = 'epoch-seconds' | 'epoch-ms' | 'iso'

/**
 * Returns null when the time is close enough, otherwise the refusal: the event is a replay, or the sender's clock is
 * wrong.
 */
export function refuseInstant(text: string | undefined, format: InstantFormat, now: Date): AuthVerdict | null {
  if (text === undefined) return refuse('timestamp-missing')
  const at = instantMs(text, format)
  if (at === null) return refuse('timestamp-unreadable')
  return Math.abs(now.getTime() - at) > toleranceMs ? refuse('timestamp-outside-tolerance') : null
}

function instantMs(text: string, format: InstantFormat): number | null {
  if (format === 'iso') {
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null
    const at = Date.parse(text)
    return Number.isNaN(at) ? null : at
  }
  if (!/^\d{1,15}$/.test(text)) return null
  return Number(text) * (format === 'epoch-seconds' ? 1_000 : 1)
}
