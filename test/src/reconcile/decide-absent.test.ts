import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AbsenceStep, type Doubt, decideAbsent } from '#src/reconcile/decide-absent.ts'

/** Twice looked for, with a control, its batch nowhere to be seen: the one case in which an unknown outcome goes out again. */
const absent: Doubt = {
  outcome: 'unknown',
  batchSize: 25,
  looks: 2,
  siblingVisible: false,
  controlVisible: true,
  resends: 0,
}
const refused: Partial<Doubt> = { outcome: 'refused', controlVisible: false }
const wait: AbsenceStep = { step: 'wait' }
const again: AbsenceStep = { step: 'send again', cap: null, countsAsResend: true }
const half = (cap: number): AbsenceStep => ({ step: 'send again', cap, countsAsResend: false })
const hold = (words: string) => ({ step: 'hold', reason: expect.stringContaining(words) })

describe('a row that the report does not show', () => {
  test.each<[string, Partial<Doubt>, object]>([
    ['never looked for waits', { looks: 0 }, wait],
    ['looked for once waits', { looks: 1 }, wait],
    ['refused and looked for once waits', { ...refused, looks: 1 }, wait],
    ['looked for once waits even the second time', { looks: 1, resends: 1 }, wait],
    ['absent twice, with a control, is sent again', {}, again],
    ['absent for long, with a control, is sent again', { looks: 40 }, again],
    ['absent without a control waits', { controlVisible: false }, wait],
    ['absent seven times without a control waits', { controlVisible: false, looks: 7 }, wait],
    [
      'absent eight times without a control is held',
      { controlVisible: false, looks: 8 },
      hold('nothing that was sent'),
    ],
    ['with a sibling in the report waits', { siblingVisible: true }, wait],
    ['with a sibling waits for 47 looks', { siblingVisible: true, looks: 47 }, wait],
    ['with a sibling is held at 48 looks', { siblingVisible: true, looks: 48 }, hold('in part')],
    ['with a sibling waits even the second time', { siblingVisible: true, resends: 1 }, wait],
    ['of unknown outcome twice is held', { resends: 1 }, hold('second time')],
    [
      'of unknown outcome twice is held without a control too',
      { resends: 1, controlVisible: false },
      hold('second time'),
    ],
    ['refused is sent again in halves', { ...refused }, half(12)],
    ['refused is sent again in halves also after a re-send', { ...refused, resends: 1 }, half(12)],
    ['refused, of three, goes alone', { ...refused, batchSize: 3 }, half(1)],
    ['refused, of two, goes alone', { ...refused, batchSize: 2 }, half(1)],
    ['refused, of one, stays one', { ...refused, batchSize: 1 }, half(1)],
    ['refused with a sibling in the report waits', { ...refused, siblingVisible: true }, wait],
    ['refused with a sibling is held at last', { ...refused, siblingVisible: true, looks: 48 }, hold('in part')],
  ])('%s', (_, more, expected) => {
    expect(decideAbsent({ ...absent, ...more })).toEqual(expected)
  })

  const doubts = fc.record<Doubt>({
    outcome: fc.constantFrom('unknown', 'refused'),
    batchSize: fc.integer({ min: 1, max: 1_000 }),
    looks: fc.integer({ min: 0, max: 60 }),
    siblingVisible: fc.boolean(),
    controlVisible: fc.boolean(),
    resends: fc.integer({ min: 0, max: 3 }),
  })

  test('is sent again only after two looks, without a sibling, and once in its life unless it was refused in words', () => {
    fc.assert(
      fc.property(doubts, (doubt) => {
        const step = decideAbsent(doubt)
        if (step.step !== 'send again') return
        expect(doubt.looks).toBeGreaterThanOrEqual(2)
        expect(doubt.siblingVisible).toBe(false)
        if (doubt.outcome === 'unknown') expect(doubt).toMatchObject({ resends: 0, controlVisible: true })
        expect(step.countsAsResend).toBe(doubt.outcome === 'unknown')
      }),
      { numRuns: 2_000 },
    )
  })

  test('does not wait for ever', () => {
    fc.assert(fc.property(doubts, (doubt) => decideAbsent({ ...doubt, looks: 48 }).step !== 'wait'))
  })

  test('is sent again in ever smaller batches, until it stands alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000 }), (batchSize) => {
        const step = decideAbsent({ ...absent, outcome: 'refused', batchSize })
        if (step.step !== 'send again') throw new Error(step.step)
        expect(step.cap).toBeGreaterThanOrEqual(1)
        expect(step.cap).toBeLessThan(batchSize)
      }),
    )
  })
})
