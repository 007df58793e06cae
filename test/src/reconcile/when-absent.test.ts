import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Decision } from '#src/reconcile/decision.ts'
import { whenAbsent } from '#src/reconcile/when-absent.ts'
import { aPolicy } from '#test/support/build.ts'

/** Twice looked for, with a control, its batch nowhere to be seen: the one case in which an unknown outcome goes out again. */
interface Case {
  outcome: 'unknown' | 'refused'
  batchSize: number
  looks: number
  batchShown: boolean
  controlShown: boolean
  resends: number
}
const absent: Case = {
  outcome: 'unknown',
  batchSize: 25,
  looks: 2,
  batchShown: false,
  controlShown: true,
  resends: 0,
}
const hour = 3_600_000
const over = new Date('2026-03-01T12:00:00Z')
const later = (ms: number) => new Date(over.getTime() + ms)

/** The decision after a reading that is itself no further look: so many were counted before. */
function judged(
  { outcome, batchSize: size, looks, batchShown, controlShown, resends }: Case,
  policy = aPolicy(),
): Decision {
  const controlledLooks = controlShown ? looks : 0
  const row = {
    call: { outcome, size, overAt: over, batchShown },
    looks,
    controlledLooks,
    lastLookAt: later(9 * hour),
    resends,
  }
  return whenAbsent(row, { scanBegan: later(9 * hour), controlShown }, policy)
}

const refused: Partial<Case> = { outcome: 'refused', controlShown: false }
const wait = { steps: [] }
const pending = [expect.objectContaining({ to: 'pending' })]
const again = { steps: pending, batchCap: null, countsAsResend: true }
const half = (batchCap: number) => ({ steps: pending, batchCap, countsAsResend: false })
const hold = (words: string) => ({
  steps: [{ to: 'held', event: 'held for a person', reason: expect.stringContaining(words) }],
})

describe('a row that the report does not show', () => {
  test.each<[string, Partial<Case>, object]>([
    ['never looked for waits', { looks: 0 }, wait],
    ['looked for once waits', { looks: 1 }, wait],
    ['refused and looked for once waits', { ...refused, looks: 1 }, wait],
    ['looked for once waits even the second time', { looks: 1, resends: 1 }, wait],
    ['absent twice, with a control, is sent again', {}, again],
    ['absent for long, with a control, is sent again', { looks: 40 }, again],
    ['absent without a control waits', { controlShown: false }, wait],
    ['absent seven times without a control waits', { controlShown: false, looks: 7 }, wait],
    ['absent eight times without a control is held', { controlShown: false, looks: 8 }, hold('nothing that was sent')],
    ['with a sibling in the report waits', { batchShown: true }, wait],
    ['with a sibling waits for 47 looks', { batchShown: true, looks: 47 }, wait],
    ['with a sibling is held at 48 looks', { batchShown: true, looks: 48 }, hold('in part')],
    ['with a sibling waits even the second time', { batchShown: true, resends: 1 }, wait],
    ['of unknown outcome twice is held', { resends: 1 }, hold('second time')],
    [
      'of unknown outcome twice is held without a control too',
      { resends: 1, controlShown: false },
      hold('second time'),
    ],
    ['refused is sent again in halves', { ...refused }, half(12)],
    ['refused is sent again in halves also after a re-send', { ...refused, resends: 1 }, half(12)],
    ['refused, of three, goes alone', { ...refused, batchSize: 3 }, half(1)],
    ['refused, of two, goes alone', { ...refused, batchSize: 2 }, half(1)],
    ['refused, of one, stays one', { ...refused, batchSize: 1 }, half(1)],
    ['refused with a sibling in the report waits', { ...refused, batchShown: true }, wait],
    ['refused with a sibling is held at last', { ...refused, batchShown: true, looks: 48 }, hold('in part')],
  ])('%s', (_, more, expected) => {
    expect(judged({ ...absent, ...more })).toMatchObject(expected)
  })

  const doubts = fc.record<Case>({
    outcome: fc.constantFrom('unknown', 'refused'),
    batchSize: fc.integer({ min: 1, max: 1_000 }),
    looks: fc.integer({ min: 0, max: 60 }),
    batchShown: fc.boolean(),
    controlShown: fc.boolean(),
    resends: fc.integer({ min: 0, max: 3 }),
  })

  test('is sent again only after two looks, without a sibling, and once in its life unless it was refused in words', () => {
    fc.assert(
      fc.property(doubts, (doubt) => {
        const step = judged(doubt)
        if (step.steps[0]?.to !== 'pending') return
        expect(doubt.looks).toBeGreaterThanOrEqual(2)
        expect(doubt.batchShown).toBe(false)
        if (doubt.outcome === 'unknown') expect(doubt).toMatchObject({ resends: 0, controlShown: true })
        expect(step.countsAsResend).toBe(doubt.outcome === 'unknown')
      }),
      { numRuns: 2_000 },
    )
  })

  test('does not wait for ever', () => {
    fc.assert(fc.property(doubts, (doubt) => judged({ ...doubt, looks: 48 }).steps.length > 0))
  })

  test('is sent again in ever smaller batches, until it stands alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000 }), (batchSize) => {
        const { batchCap } = judged({ ...absent, outcome: 'refused', batchSize })
        expect(batchCap).toBeGreaterThanOrEqual(1)
        expect(batchCap).toBeLessThan(batchSize)
      }),
    )
  })

  test('is never sent again by itself where the configuration says so, but refused batches are halved all the same', () => {
    const never = aPolicy({ resends: 0 })
    expect(judged(absent, never)).toMatchObject(hold('allows no re-send'))
    expect(judged({ ...absent, ...refused }, never)).toMatchObject(half(12))
  })

  test.each([
    ['only the last of three looks had a control', 3, 1, wait],
    ['only one of eight looks had a control', 8, 1, hold('nothing that was sent')],
    ['two of three looks had a control', 3, 2, again],
  ])('when %s', (_, looks, controlledLooks, expected) => {
    const call = { outcome: 'unknown' as const, size: 25, overAt: over, batchShown: false }
    const row = { call, looks, controlledLooks, lastLookAt: later(9 * hour), resends: 0 }
    expect(whenAbsent(row, { scanBegan: later(9 * hour), controlShown: true }, aPolicy())).toMatchObject(expected)
  })
})

describe('a reading that does not show a row', () => {
  const looked = (outcome: Case['outcome'], lastLookAt: Date | null, scanBegan: Date) =>
    whenAbsent(
      {
        call: { outcome, size: 5, overAt: over, batchShown: false },
        looks: lastLookAt ? 1 : 0,
        controlledLooks: lastLookAt ? 1 : 0,
        lastLookAt,
        resends: 0,
      },
      { scanBegan, controlShown: true },
      aPolicy(),
    )

  test.each([
    ['unknown', 6 * hour],
    ['refused', hour],
  ] as const)('counts as a look a grace after the call was %s, and a grace after the last look', (outcome, grace) => {
    expect(looked(outcome, null, later(grace - 1)).countsAsLook).toBe(false)
    expect(looked(outcome, null, later(grace)).countsAsLook).toBe(true)
    expect(looked(outcome, later(grace), later(2 * grace - 1)).countsAsLook).toBe(false)
    expect(looked(outcome, later(grace), later(2 * grace)).countsAsLook).toBe(true)
  })

  test('is the second look and decides at once', () => {
    expect(looked('unknown', later(6 * hour), later(12 * hour))).toMatchObject({ ...again, countsAsLook: true })
    expect(looked('unknown', null, later(6 * hour))).toMatchObject({ ...wait, countsAsLook: true })
  })
})
