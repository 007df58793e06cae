// Durations as people write them in the configuration: 250ms, 15s, 10m, 6h, 30d.

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
type Unit = keyof typeof unitMs

/** Milliseconds of a written duration, or null when it is not one. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  if (!match) return null
  return Number(match[1]) * unitMs[match[2] as Unit]
}

/** A span for people: the two largest units that matter, such as `2m 5s` or `350ms`. */
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
