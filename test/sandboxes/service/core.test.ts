// Tests that calls in process are executed in order, and that a run is repeatable from a seed.

import { describe, expect, test } from 'vitest'
import { people, visitCore } from './core-visitor.ts'
import { paths } from './visitor.ts'

describe('a call in process', () => {
  test('is executed before it returns, so that only the order of calls matters', async () => {
    const { core, invite, held } = await visitCore()
    const both = [invite('a@example.org'), invite('b@example.org')]
    expect(held()).toEqual(['a@example.org', 'b@example.org'])
    expect(core.journal().invitesAccepted).toBe(2)
    expect(await Promise.all(both)).toEqual([200, 200])
  })
})

describe('a run with all faults', () => {
  test('is the same again from the same seed, and different from another', async () => {
    const once = await fullRun('one')
    expect(await fullRun('one')).toEqual(once)
    expect(await fullRun('two')).not.toEqual(once)
  })
})

async function fullRun(seed: string): Promise<string> {
  const { core, clock, invite, post } = await visitCore({ seed })
  core.injectFaults({
    lateVisibility: { share: 0.3, minMs: 0, maxMs: 9_000 },
    trickle: { spanMs: 2_000 },
    nullEntityUuid: { share: 0.3, forMs: 2_000 },
    spelling: { emails: 0.3, names: 0.3 },
    movingRows: { share: 0.5 },
    backwards: { share: 0.2 },
    partialCommit: { share: 0.1, take: 'scattered', answer: 500 },
    throttledAfter: { share: 0.1 },
    envelope500: { applied: 0.1, notApplied: 0.1 },
    html502: { before: 0.1, after: 0.1 },
    truncated: { before: 0.05, after: 0.05 },
    lost: { before: 0.1, after: 0.1 },
    spoiledCalls: 'all',
  })
  const answers: unknown[] = []
  for (let round = 0; round < 20; round++) {
    await invite(...people(10, `r${round}-`))
    await clock.advance(500)
    answers.push(await post(paths.report, { recordsPerPage: 50 }))
  }
  return JSON.stringify([answers, core.entries()])
}
