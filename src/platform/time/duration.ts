// Parses and formats durations as written in the configuration (250ms, 15s, 10m, 6h, 30d), and formats instants for
// people. Pure.

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
type Unit = keyof typeof unitMs

/** Parses a duration into milliseconds. Returns null if the text is not a duration. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  if (!match) return null
  return Number(match[1]) * unitMs[match[2] as Unit]
}

/** Formats a time span for people, using its two largest nonzero units, such as `2m 5s` or `350ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`
  const parts: string[] = []
  let rest = Math.round(ms / 1_000) * 1_000
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const count = Math.floor(rest / unitMs[unit])
    if (count > 0) parts.push(`${count}${unit}`)
    rest -= count * unitMs[unit]
  }
  return parts.slice(0, 2).join(' ')
}

/**
 * Formats an instant for people, to the minute, for example `2026-11-21 02:00`. The time is in UTC, which the caller
 * must state.
 */
export function minuteOf(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ')
}
