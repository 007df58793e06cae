// Calculates with days as the service writes them: YYYY-MM-DD, in the sandbox always in UTC. Pure.

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** Returns true if the text is a date that exists, unlike 2026-02-30. */
export function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  // Node turns 30 February into a day in March instead of refusing it.
  return !Number.isNaN(at.getTime()) && dayOf(at) === text
}

/** Returns the same day of the month some months later, or the last day of that month if it is shorter. */
export function addMonths(at: Date, months: number): Date {
  const moved = new Date(at)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(at.getUTCDate(), lastDay))
  return moved
}
