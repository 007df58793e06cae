// Pauses a course after a call that shows that further calls would fail as well.

import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { Tools } from './job-tools.ts'

const keysRefusedMs = 60_000
const keysRefused = 'the service refuses our keys (status 401); check CREDSYNC_KEY and CREDSYNC_SECRET'

/** Pauses the course if the keys were refused, or after repeated calls that were refused or have no known outcome. */
export async function pauseAfterCall({ ledger, log, tuning }: Tools, course: string, outcome: Outcome): Promise<void> {
  if (outcome.class === 'unauthorised') {
    await ledger.courses.pause(course, keysRefused, keysRefusedMs)
    log.event('course.paused', { course, reason: keysRefused, ms: keysRefusedMs })
  }
  if (outcome.class !== 'unknown' && outcome.class !== 'refused') return
  const ms = await ledger.courses.pauseAfterTrouble(course, tuning.breaker)
  if (ms !== null) log.event('course.paused', { course, reason: 'calls in a row failed', ms })
}
