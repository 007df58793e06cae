// The client under test, opened at the platform on loopback.

import { openAgs } from '#src/lti/ags.ts'
import type { Score } from '#src/lti/score.ts'
import type { Send } from '#src/lti/wire.ts'
import { steppedClock } from '#test/support/clock.ts'
import { openDice } from '#test/support/dice.ts'
import { clientId, learner, openPlatform, toolKey } from './platform.ts'
import { send as overLoopback } from './send.ts'

export async function opened({ audience, send = overLoopback }: { audience?: string; send?: Send } = {}) {
  const clock = steppedClock()
  const platform = await openPlatform({ now: () => clock.now(), ...(audience !== undefined && { audience }) })
  const ags = openAgs({
    clientId,
    tokenUrl: platform.tokenUrl,
    privateKeyPem: toolKey,
    send,
    clock,
    random: openDice(1).next,
    ...(audience !== undefined && { audience }),
  })
  return { ags, clock, platform }
}

export const link = 'https://verify.example/c/1?a=1&b=2'

export function scoreAt(at: string, other: Partial<Score> = {}): Score {
  return {
    userId: learner,
    scoreGiven: 100,
    scoreMaximum: 100,
    comment: `Credential urn:uuid:1234 issued: ${link}`,
    at: new Date(at),
    ...other,
  }
}
