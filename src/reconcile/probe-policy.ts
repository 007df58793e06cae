// What a probe of a course changes in how its rows are followed. Pure. A probe may only make us more careful, save in one point: a
// refusal in words of the same recipient.

import type { Findings } from '#src/ledger/probes.ts'

export interface ProbePolicy {
  /** Rows asked for in one page of the report. */
  pageSize: number
  /** Milliseconds for which absence from the report means nothing. */
  graceMs: { unknown: number; refused: number }
  /** The service refused the same recipient, sent again, and said why. */
  duplicatesRefused: boolean
  /** Keys of the report in which a value that was sent comes back, sorted. */
  echoedKeys: string[]
}

/** A grace is at least so many times the longest lag that a probe has seen: a quiet day's lag is not a busy day's. */
const lagsInGrace = 3

/**
 * @param findings null when the course was not probed
 * @param defaults the settings
 */
export function policyFrom(
  findings: Findings | null,
  { pageSize, graceMs }: Pick<ProbePolicy, 'pageSize' | 'graceMs'>,
): ProbePolicy {
  const page = foundIn(findings?.page)
  const waited = lagsInGrace * (foundIn(findings?.lag)?.ms ?? 0)
  const duplicates = foundIn(findings?.duplicates)
  return {
    // Where nothing was cut short, the largest page found is only the largest that could be seen.
    pageSize: page?.capped ? Math.min(pageSize, page.largest) : pageSize,
    graceMs: { unknown: Math.max(graceMs.unknown, waited), refused: Math.max(graceMs.refused, waited) },
    duplicatesRefused: duplicates?.verdict === 'refused' && duplicates.words !== '',
    echoedKeys: [...new Set((foundIn(findings?.echoes) ?? []).map(({ key }) => key))].sort(),
  }
}

function foundIn<T>(finding: { found: T } | { undetermined: string } | undefined): T | null {
  return finding && 'found' in finding ? finding.found : null
}
