// Decides whether a list is so much larger than usual that an operator should check it before anything is issued. Pure.

export interface BrakeLimits {
  /** The maximum number of rows that one run may issue. */
  rows?: number | undefined
  /** By how many percent a run may exceed the usual size. */
  percent?: number | undefined
  /** The maximum number of rows that all runs together may issue within 24 hours. */
  perDay?: number | undefined
}

export interface SizeCheck {
  /** Why the run is stopped; null if it may continue. */
  because: string | null
  /** True if the daily limit of all runs together stops it. */
  beyondDay: boolean
  /** The usual size in issued rows; null if there are too few earlier runs. */
  usual: number | null
  /** A notice for the pipeline's owner, although the run continues; null if there is none. */
  notice: string | null
}

/**
 * The number of earlier runs that define the usual size. Older ones are ignored, so that gradual growth becomes usual.
 */
export const maxRecentRuns = 10
/** With fewer runs than this, a single unusual list would define the usual size. */
const minRecentRuns = 3
/**
 * A run of up to this many rows is never stopped by `percent`: small lists vary by more than half from day to day, and
 * this many rows can be checked by hand.
 */
export const smallRun = 20

/**
 * Compares the size of a run with the limits and with the usual size.
 * @param accepted how many rows would be issued
 * @param recentSizes how many rows each of the last `maxRecentRuns` runs issued, leaving out runs that issued none
 * @param issuedToday how many rows were issued in the last 24 hours without an operator's decision
 */
export function checkSize(
  limits: BrakeLimits,
  accepted: number,
  recentSizes: readonly number[],
  issuedToday = 0,
): SizeCheck {
  const usual = recentSizes.length < minRecentRuns ? null : median(recentSizes)
  const { rows, percent, perDay } = limits
  const reasons: string[] = []
  if (rows !== undefined && accepted > rows) reasons.push(`more than the limit of ${rows} (brake.rows)`)
  // Both sides are multiplied by 100, because 100 * 1.1 is not exactly 110.
  if (percent !== undefined && usual !== null && accepted > smallRun && accepted * 100 > usual * (100 + percent))
    reasons.push(`more than ${percent} % above the usual ${Math.round(usual)}`)
  const beyondDay = perDay !== undefined && accepted > 0 && issuedToday + accepted > perDay
  if (beyondDay)
    reasons.push(
      `together with the ${issuedToday} issued in the last 24 hours more than the limit of ${perDay} (brake.perDay)`,
    )
  const subject = `${accepted} ${accepted === 1 ? 'row' : 'rows'} would be issued`
  const unknown = percent !== undefined && usual === null && accepted > smallRun
  return {
    because: reasons.length > 0 ? `${subject}, ${reasons.join(', and ')}.` : null,
    beyondDay,
    usual: usual === null ? null : Math.round(usual),
    notice: unknown
      ? `brake.percent does not apply yet: it needs ${minRecentRuns} earlier runs of this pipeline that issued anything, and there ${recentSizes.length === 1 ? 'is' : 'are'} ${recentSizes.length}.`
      : null,
  }
}

function median(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [below, above] = [sorted[sorted.length % 2 === 0 ? half - 1 : half] ?? 0, sorted[half] ?? 0]
  return (below + above) / 2
}
