// What a probe of a course changes in how its rows are judged. Pure. A probe may only make us more careful: a quiet day's lag says
// nothing about a busy one, and what it says beside the lag is for people (docs/decisions/0014-probe.md).

import type { Findings } from '#src/ledger/probes.ts'
import type { Policy } from './policy.ts'

/** A grace is at least so many times the longest lag that a probe has seen. */
const lagsInGrace = 3

/** @param findings null when the course was not probed */
export function coursePolicy(policy: Policy, findings: Findings | null): Policy {
  const lag = findings?.lag
  const waited = lag && 'found' in lag ? lagsInGrace * lag.found.ms : 0
  const { unknown, refused } = policy.graceMs
  return { ...policy, graceMs: { unknown: Math.max(unknown, waited), refused: Math.max(refused, waited) } }
}
