// Parses the time of a completion, in each format that systems send. Pure.

export type EventTimeFormat = 'iso' | 'epoch-seconds' | 'epoch-ms'

const isoForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
const earliestMs = Date.UTC(1990, 0, 1)
const maxAheadMs = 24 * 60 * 60_000

/**
 * Returns the parsed time. Null when the value does not have the given `format`, or is before 1990 or more than a day
 * after `arrivedAt`: this rejects seconds that are read as milliseconds, and vice versa. ISO 8601 may have a space in
 * place of the T. A time without a zone is UTC, and a date alone is midnight. Epoch numbers may be strings.
 */
export function readInstant(value: unknown, format: EventTimeFormat, arrivedAt: Date): Date | null {
  const ms = instantMs(value, format)
  const at = ms === null ? null : new Date(ms)
  return at !== null && isPossible(at, arrivedAt) ? at : null
}

/** Milliseconds since 1970, of any year; null when the value does not have the format. */
export function instantMs(value: unknown, format: EventTimeFormat): number | null {
  return format === 'iso' ? isoMs(value) : epochMs(value, format === 'epoch-seconds' ? 1_000 : 1)
}

/** True when the time is neither before 1990 nor more than a day after `arrivedAt`. */
export function isPossible(at: Date, arrivedAt: Date): boolean {
  return at.getTime() >= earliestMs && at.getTime() <= arrivedAt.getTime() + maxAheadMs
}

/** Milliseconds since 1970, of any year; null when the value is not ISO 8601 as `readInstant` describes it. */
export function isoMs(value: unknown): number | null {
  const [, day, time = '00:00', zone = 'Z'] = isoForm.exec(typeof value === 'string' ? value.trim() : '') ?? []
  if (day === undefined || !isDay(day)) return null
  const digits = zone.replace(':', '')
  const offset = /^z$/i.test(digits) ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`
  const ms = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(ms) ? null : ms
}

/** Rejects dates such as 30 February, which Date.parse accepts as 2 March. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function epochMs(value: unknown, unit: number): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * unit) : null
}
