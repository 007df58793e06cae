// Opens the client under test, connected to an LTI platform on loopback.

import { openAgs } from '#src/extensions/lms/lti/ags.ts'
import type { Score } from '#src/extensions/lms/lti/score.ts'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'
import { steppedClock } from '#test/support/clock.ts'
import { clientId, learner, openPlatform, toolKey } from './lti-platform.ts'
import { send as sendWithFetch } from './send-with-fetch.ts'

export async function openClient({
  audience,
  send = sendWithFetch,
}: {
  audience?: string
  send?: LmsHttp['send']
} = {}) {
  const clock = steppedClock()
  const platform = await openPlatform({ now: () => clock.now(), ...(audience !== undefined && { audience }) })
  const ags = openAgs({
    clientId,
    tokenUrl: platform.tokenUrl,
    privateKeyPem: toolKey,
    send,
    clock,
    ...(audience !== undefined && { audience }),
  })
  return { ags, clock, platform }
}

/** Returns what a call failed with, or what it returned. */
export const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => systemFailureOf(error) ?? error)

export const link = 'https://verify.example/c/1?a=1&b=2'

export function scoreAt(at: string, changes: Partial<Score> = {}): Score {
  return {
    userId: learner,
    scoreGiven: 100,
    scoreMaximum: 100,
    comment: `Credential urn:uuid:1234 issued: ${link}`,
    at: new Date(at),
    ...changes,
  }
}
