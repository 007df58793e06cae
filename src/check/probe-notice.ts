// What `check` tells of a course's probe: what it found, that it is old, or how to make one. A notice, never a fault.

import type { App } from '#src/app.ts'
import { probeSentence } from '#src/probe/probe-words.ts'

export async function probeNotice({ ledger, clock }: Pick<App, 'ledger' | 'clock'>, name: string, course: string) {
  if (ledger.environment !== 'production') {
    const probe = await ledger.probeOf(course)
    return probe
      ? probeSentence(probe, clock.now())
      : `not probed. credsync probe --pipeline ${name} is optional: it issues a few throwaway credentials and finds out what the service leaves unsaid`
  }
  // The same uuid in both accounts is possible, but then still two courses.
  const probe = await ledger.probeOf(course, 'development')
  if (probe) return `${probeSentence(probe, clock.now(), true)}. Production may behave otherwise`
  return 'not probed: a probe issues throwaway credentials, so it runs in the development environment alone, and what another ledger found there does not carry over'
}
