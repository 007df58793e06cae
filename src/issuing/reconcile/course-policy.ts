// Adjusts the policy for a course according to its probe. A probe can only make the policy more careful: the lag on a
// quiet day says nothing about a busy day, and the other findings are only shown to users
// (docs/decisions/0014-probe.md). Pure.

import type { Findings } from '#src/ledger/probes.ts'
import type { Policy } from './policy.ts'

/** The grace period is at least this many times the longest lag that the probe measured. */
const minLagsInGrace = 3

/** @param findings null if the course was not probed */
export function coursePolicy(policy: Policy, findings: Findings | null): Policy {
  const lag = findings?.lag
  const minGraceMs = lag && 'found' in lag ? minLagsInGrace * lag.found.ms : 0
  const { unknown, refused } = policy.graceMs
  return { ...policy, graceMs: { unknown: Math.max(unknown, minGraceMs), refused: Math.max(refused, minGraceMs) } }
}
