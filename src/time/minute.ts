// An instant as people read it. Pure.

/** `2026-11-21 02:00`, in UTC; whoever shows it says so. */
export function minuteOf(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ')
}
