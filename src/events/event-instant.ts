// When something was completed, out of the ways in which systems write a time.

export type WrittenInstant = 'iso' | 'epoch-seconds' | 'epoch-ms'

const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
const earliest = Date.UTC(1990, 0, 1)
const aheadMs = 24 * 60 * 60_000

/**
 * The instant, or null when it is not written in `format`, or lies before 1990 or more than a day after `arrivedAt`: seconds that are
 * read as milliseconds, and the other way round, end there. ISO 8601 may have a space for its T; without a zone it is UTC, a day
 * alone is its midnight. Epoch numbers may be texts.
 */
export function readInstant(value: unknown, format: WrittenInstant, arrivedAt: Date): Date | null {
  const ms = format === 'iso' ? isoMs(value) : epochMs(value, format === 'epoch-seconds' ? 1_000 : 1)
  const at = ms === null ? null : new Date(ms)
  return at !== null && isPossible(at, arrivedAt) ? at : null
}

/** Neither before 1990 nor more than a day after `arrivedAt`. */
export function isPossible(at: Date, arrivedAt: Date): boolean {
  return at.getTime() >= earliest && at.getTime() <= arrivedAt.getTime() + aheadMs
}

function isoMs(value: unknown): number | null {
  const [, day, time = '00:00', zone = 'Z'] = iso.exec(typeof value === 'string' ? value.trim() : '') ?? []
  if (day === undefined || !isDay(day)) return null
  const digits = zone.replace(':', '')
  const offset = /^z$/i.test(digits) ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`
  const ms = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(ms) ? null : ms
}

/** Date.parse makes 2 March of 30 February. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function epochMs(value: unknown, unit: number): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * unit) : null
}
