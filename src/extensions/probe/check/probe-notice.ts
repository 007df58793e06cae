// A notice of `check` about the probe of a course: what it found, that it is old, or how to run one. Never a fault.
// Reads the ledger.

import type { App } from '#src/app/app.ts'
import { probeSentence } from '#src/extensions/probe/describe-findings.ts'

/** None in production, where no probe can run. */
export async function probeNotices({ ledger, clock }: Pick<App, 'ledger' | 'clock'>, name: string, course: string) {
  if (ledger.environment === 'production') return []
  const probe = await ledger.probes.find(course)
  return [
    probe
      ? probeSentence(probe, clock.now())
      : `not probed. credsync probe --pipeline ${name} is optional: it issues a few test credentials and finds out what the service does not document`,
  ]
}
