// A notice of `check` about the probe of a course: what it found, that it is old, or how to run one. Never a fault.
// Reads the ledger.

import type { App } from '#src/app/app.ts'
import { probeSentence } from '#src/extensions/probe/describe-findings.ts'

export async function probeNotice({ ledger, clock }: Pick<App, 'ledger' | 'clock'>, name: string, course: string) {
  if (ledger.environment !== 'production') {
    const probe = await ledger.probes.find(course)
    return probe
      ? probeSentence(probe, clock.now())
      : `not probed. credsync probe --pipeline ${name} is optional: it issues a few test credentials and finds out what the service does not document`
  }
  // The same uuid may exist in both accounts, but it then belongs to two different courses.
  const probe = await ledger.probes.find(course, 'development')
  if (probe) return `${probeSentence(probe, clock.now(), true)}. Production may behave differently`
  return 'not probed: a probe issues test credentials, so it runs only in the development environment, and what another ledger found there does not carry over'
}
