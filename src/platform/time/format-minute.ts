// Formats an instant for people, to the minute. Pure.

/** Returns for example `2026-11-21 02:00`, which is UTC; the caller must say so. */
export function minuteOf(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ')
}
