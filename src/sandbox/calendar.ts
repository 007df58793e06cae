// Days without a time of day, as the service writes them: YYYY-MM-DD, here always in UTC.

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** Whether the text is a day that exists: 2026-02-30 is not. */
export function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  // Node rolls 30 February over into March instead of refusing it.
  return !Number.isNaN(at.getTime()) && dayOf(at) === text
}

/** The same day of the month some months on, or that month's last day where it is shorter. */
export function addMonths(at: Date, months: number): Date {
  const moved = new Date(at)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(at.getUTCDate(), lastDay))
  return moved
}
