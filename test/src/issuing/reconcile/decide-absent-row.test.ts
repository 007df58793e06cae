// The decision about a row that the report does not show.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whenAbsent } from '#src/issuing/reconcile/decide-absent-row.ts'
import type { Decision } from '#src/issuing/reconcile/decision.ts'
import { aPolicy } from '#test/support/domain-objects.ts'

/** What is known about an absent row. */
interface Case {
  outcome: 'unknown' | 'refused'
  batchSize: number
  looks: number
  batchShown: boolean
  controlShown: boolean
  resends: number
}
/** Two looks with a control and no row of the batch: the only case in which a row of unknown outcome is sent again. */
const absent: Case = {
  outcome: 'unknown',
  batchSize: 25,
  looks: 2,
  batchShown: false,
  controlShown: true,
  resends: 0,
}
const hour = 3_600_000
const callEnded = new Date('2026-03-01T12:00:00Z')
const later = (ms: number) => new Date(callEnded.getTime() + ms)

/** Returns the decision after a scan that does not count as another look. `looks` is how many counted before. */
function decisionFor(
  { outcome, batchSize: size, looks, batchShown, controlShown, resends }: Case,
  policy = aPolicy(),
): Decision {
  const controlledLooks = controlShown ? looks : 0
  const row = {
    call: { outcome, size, overAt: callEnded, batchShown },
    looks,
    controlledLooks,
    lastLookAt: later(9 * hour),
    resends,
  }
  return whenAbsent(row, { scanStartedAt: later(9 * hour), controlShown }, policy)
}

const refused: Partial<Case> = { outcome: 'refused', controlShown: false }
const wait = { steps: [] }
const pending = [expect.objectContaining({ to: 'pending' })]
const sentAgain = { steps: pending, batchCap: null, countsAsResend: true }
const sentInHalves = (batchCap: number) => ({ steps: pending, batchCap, countsAsResend: false })
const hold = (words: string) => ({
  steps: [{ to: 'held', event: 'held for a person', reason: expect.stringContaining(words) }],
})

test.each([
  [1, 'second'],
  [2, 'third'],
  [3, 'fourth'],
  [4, 'fifth'],
  [5, 'sixth'],
])('after %i re-sends, the row is held because its outcome is unknown for the %s time', (resends, ordinal) => {
  const { steps } = decisionFor({ ...absent, resends }, { ...aPolicy(), resends })
  expect(steps).toMatchObject([{ to: 'held', reason: `its outcome is unknown for the ${ordinal} time` }])
})

test('the grace begins with the end of the call, even if an earlier look is known', () => {
  const row = {
    call: { outcome: 'unknown' as const, size: 25, overAt: callEnded, batchShown: false },
    ...{ looks: 0, controlledLooks: 0, lastLookAt: later(-9 * hour), resends: 0 },
  }
  const countsAt = (ms: number) =>
    whenAbsent(row, { scanStartedAt: later(ms), controlShown: true }, aPolicy()).countsAsLook
  expect(countsAt(6 * hour - 1)).toBe(false)
  expect(countsAt(6 * hour)).toBe(true)
})

describe('a row that the report does not show', () => {
  test.each<[string, Partial<Case>, object]>([
    ['without a look waits', { looks: 0 }, wait],
    ['after one look waits', { looks: 1 }, wait],
    ['refused and after one look waits', { ...refused, looks: 1 }, wait],
    ['after one look waits, also after a resend', { looks: 1, resends: 1 }, wait],
    ['absent twice, with a control, is sent again', {}, sentAgain],
    ['absent for a long time, with a control, is sent again', { looks: 40 }, sentAgain],
    ['absent without a control waits', { controlShown: false }, wait],
    ['absent seven times without a control waits', { controlShown: false, looks: 7 }, wait],
    ['absent eight times without a control is held', { controlShown: false, looks: 8 }, hold('nothing that was sent')],
    ['with another row of its batch in the report waits', { batchShown: true }, wait],
    ['with another row of its batch in the report waits for 47 looks', { batchShown: true, looks: 47 }, wait],
    [
      'with another row of its batch in the report is held after 48 looks',
      { batchShown: true, looks: 48 },
      hold('only part'),
    ],
    ['with another row of its batch in the report waits, also after a resend', { batchShown: true, resends: 1 }, wait],
    ['of unknown outcome twice is held', { resends: 1 }, hold('second time')],
    [
      'of unknown outcome twice is held, also without a control',
      { resends: 1, controlShown: false },
      hold('second time'),
    ],
    ['refused is sent again in halves', { ...refused }, sentInHalves(12)],
    ['refused is sent again in halves, also after a resend', { ...refused, resends: 1 }, sentInHalves(12)],
    ['refused in a batch of three is sent alone', { ...refused, batchSize: 3 }, sentInHalves(1)],
    ['refused in a batch of two is sent alone', { ...refused, batchSize: 2 }, sentInHalves(1)],
    ['refused in a batch of one is sent alone', { ...refused, batchSize: 1 }, sentInHalves(1)],
    ['refused with another row of its batch in the report waits', { ...refused, batchShown: true }, wait],
    [
      'refused with another row of its batch in the report is held after 48 looks',
      { ...refused, batchShown: true, looks: 48 },
      hold('only part'),
    ],
  ])('%s', (_, more, expected) => {
    expect(decisionFor({ ...absent, ...more })).toMatchObject(expected)
  })

  const doubts = fc.record<Case>({
    outcome: fc.constantFrom('unknown', 'refused'),
    batchSize: fc.integer({ min: 1, max: 1_000 }),
    looks: fc.integer({ min: 0, max: 60 }),
    batchShown: fc.boolean(),
    controlShown: fc.boolean(),
    resends: fc.integer({ min: 0, max: 3 }),
  })

  test('is sent again only after two looks that show no row of its batch, and only once unless it was refused', () => {
    fc.assert(
      fc.property(doubts, (doubt) => {
        const step = decisionFor(doubt)
        if (step.steps[0]?.to !== 'pending') return
        expect(doubt.looks).toBeGreaterThanOrEqual(2)
        expect(doubt.batchShown).toBe(false)
        if (doubt.outcome === 'unknown') expect(doubt).toMatchObject({ resends: 0, controlShown: true })
        expect(step.countsAsResend).toBe(doubt.outcome === 'unknown')
      }),
      { numRuns: 2_000 },
    )
  })

  test('does not wait forever', () => {
    fc.assert(fc.property(doubts, (doubt) => decisionFor({ ...doubt, looks: 48 }).steps.length > 0))
  })

  test('is sent again in smaller and smaller batches if it was refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000 }), (batchSize) => {
        const { batchCap } = decisionFor({ ...absent, outcome: 'refused', batchSize })
        expect(batchCap).toBeGreaterThanOrEqual(1)
        expect(batchCap).toBeLessThan(batchSize)
      }),
    )
  })

  test('is not sent again if the configuration forbids it, but refused batches are still halved', () => {
    const never = aPolicy({ resends: 0 })
    expect(decisionFor(absent, never)).toMatchObject(hold('allows no re-send'))
    expect(decisionFor({ ...absent, ...refused }, never)).toMatchObject(sentInHalves(12))
  })

  test.each([
    ['for the third time', 2],
    ['for the sixth time', 5],
  ])('is sent again as often as configured, and is held if its outcome is unknown %s', (words, resends) => {
    const policy = aPolicy({ resends })
    for (let before = 0; before < resends; before++) {
      expect(decisionFor({ ...absent, resends: before }, policy)).toMatchObject(sentAgain)
      // Each resend needs a new proof.
      expect(decisionFor({ ...absent, resends: before, looks: 1 }, policy)).toMatchObject(wait)
      expect(decisionFor({ ...absent, resends: before, controlShown: false }, policy)).toMatchObject(wait)
    }
    expect(decisionFor({ ...absent, resends }, policy)).toMatchObject(hold(words))
  })

  test.each([
    ['only the last of three looks had a control', 3, 1, wait],
    ['only one of eight looks had a control', 8, 1, hold('nothing that was sent')],
    ['two of three looks had a control', 3, 2, sentAgain],
  ])('has the right decision when %s', (_, looks, controlledLooks, expected) => {
    const call = { outcome: 'unknown' as const, size: 25, overAt: callEnded, batchShown: false }
    const row = { call, looks, controlledLooks, lastLookAt: later(9 * hour), resends: 0 }
    expect(whenAbsent(row, { scanStartedAt: later(9 * hour), controlShown: true }, aPolicy())).toMatchObject(expected)
  })
})

describe('a scan that does not show a row', () => {
  const decisionAfterScan = (outcome: Case['outcome'], lastLookAt: Date | null, scanStartedAt: Date) =>
    whenAbsent(
      {
        call: { outcome, size: 5, overAt: callEnded, batchShown: false },
        looks: lastLookAt ? 1 : 0,
        controlledLooks: lastLookAt ? 1 : 0,
        lastLookAt,
        resends: 0,
      },
      { scanStartedAt, controlShown: true },
      aPolicy(),
    )

  test.each([
    ['unknown', 6 * hour],
    ['refused', hour],
  ] as const)(
    'counts as a look one grace period after the call was %s, and one grace period after the last look',
    (outcome, grace) => {
      expect(decisionAfterScan(outcome, null, later(grace - 1)).countsAsLook).toBe(false)
      expect(decisionAfterScan(outcome, null, later(grace)).countsAsLook).toBe(true)
      expect(decisionAfterScan(outcome, later(grace), later(2 * grace - 1)).countsAsLook).toBe(false)
      expect(decisionAfterScan(outcome, later(grace), later(2 * grace)).countsAsLook).toBe(true)
    },
  )

  test('counts as the second look and decides immediately', () => {
    expect(decisionAfterScan('unknown', later(6 * hour), later(12 * hour))).toMatchObject({
      ...sentAgain,
      countsAsLook: true,
    })
    expect(decisionAfterScan('unknown', null, later(6 * hour))).toMatchObject({ ...wait, countsAsLook: true })
  })
})
