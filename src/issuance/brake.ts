// Whether a list is larger than its owner expects, so that a person should look before anything is issued. Pure.

export interface BrakeLimits {
  /** Issued rows at most. */
  rows?: number | undefined
  /** How far above the usual size at most. */
  percent?: number | undefined
}

export interface SizeJudgement {
  /** Why it is stopped; null when it may go on. */
  because: string | null
  /** The usual size, in issued rows; null while too little is known. */
  usual: number | null
  /** What the owner should know although it goes on. */
  notice: string | null
}

/** So many earlier runs count at most, so that a size that grows by itself becomes usual. */
export const mostRecent = 10
/** With fewer, one odd list would be the measure of all. */
const fewest = 3
/** What percent never holds: small nights differ by more than half from one to the next, and so many can be looked through by hand. */
export const smallRun = 20

/**
 * @param accepted how many rows would be issued
 * @param recent how many each of the last runs issued, of those that issued any; `mostRecent` at most
 */
export function judgeSize(limits: BrakeLimits, accepted: number, recent: readonly number[]): SizeJudgement {
  const usual = recent.length < fewest ? null : median(recent)
  const { rows, percent } = limits
  const reasons: string[] = []
  if (rows !== undefined && accepted > rows) reasons.push(`more than the ${rows} of brake.rows`)
  // Multiplied out: 100 * 1.1 is not 110.
  if (percent !== undefined && usual !== null && accepted > smallRun && accepted * 100 > usual * (100 + percent))
    reasons.push(`more than ${percent} % above the usual ${Math.round(usual)}`)
  const would = `${accepted} ${accepted === 1 ? 'row' : 'rows'} would be issued`
  const unknown = percent !== undefined && usual === null && accepted > smallRun
  return {
    because: reasons.length > 0 ? `${would}, ${reasons.join(', and ')}.` : null,
    usual: usual === null ? null : Math.round(usual),
    notice: unknown
      ? `brake.percent does not apply yet: it needs ${fewest} earlier runs of this pipeline that issued anybody, and there ${recent.length === 1 ? 'is' : 'are'} ${recent.length}.`
      : null,
  }
}

function median(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [below, above] = [sorted[sorted.length % 2 === 0 ? half - 1 : half] ?? 0, sorted[half] ?? 0]
  return (below + above) / 2
}
