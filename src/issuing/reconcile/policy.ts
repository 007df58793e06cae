// The settings that decisions depend on, and how the probe of a course adjusts them. config/schema.ts explains each
// setting. Pure.

import type { Findings } from '#src/ledger/probes.ts'

export interface Policy {
  /**
   * For how many milliseconds absence from the report proves nothing, by the outcome of the call. This is the longest
   * time that the service may take to show a request. Looks count only after this time, and must be this far apart.
   */
  graceMs: { unknown: number; refused: number }
  /** The number of looks that prove absence. Each look needs a control, unless the call was refused with a message. */
  looks: number
  /**
   * The number of looks after which a row is held for an operator's decision: if the report shows nothing that was sent
   * later (`looksWithoutControl`), and if it shows other rows of the batch (`looksWithoutBatch`).
   */
  looksWithoutControl: number
  looksWithoutBatch: number
  /** The maximum number of automatic resends of a row. Each follows an unknown outcome and a new proof of absence. */
  resends: number
}

/** The grace period is at least this many times the longest lag that the probe measured. */
const minLagsInGrace = 3

/**
 * Adjusts the policy for a course according to its probe. A probe can only make the policy more careful: the lag on a
 * quiet day does not predict the lag on a busy day, and the other findings are only shown to users
 * (docs/decisions/0014-probe.md).
 * @param findings null if the course was not probed
 */
export function coursePolicy(policy: Policy, findings: Findings | null): Policy {
  const lag = findings?.lag
  const minGraceMs = lag && 'found' in lag ? minLagsInGrace * lag.found.ms : 0
  const { unknown, refused } = policy.graceMs
  return { ...policy, graceMs: { unknown: Math.max(unknown, minGraceMs), refused: Math.max(refused, minGraceMs) } }
}
