// The margin that is learnt from the answers: what single answers change, and what comes of it over ways of many kinds.

import { describe, expect, test } from 'vitest'
import { cautionMs, openMarginEstimate, spreadOf } from '#src/platform/limits/margin-estimate.ts'
import { openDice } from '#test/support/seeded-random.ts'
import { sized } from '#test/support/suite-size.ts'
import { sendOver, shareOf, type Way } from './uneven-way.ts'

const evenly = (count: number, fromMs: number, toMs: number) =>
  Array.from({ length: count }, (_, i) => fromMs + ((toMs - fromMs) * i) / (count - 1))

describe('the spread of round trips', () => {
  test('is unknown with fewer than thirty', () => {
    expect(spreadOf(evenly(29, 10, 70))).toBeNull()
    expect(spreadOf(evenly(30, 10, 70))).not.toBeNull()
  })

  test('is what the slowest takes longer than the quickest, whatever their order', () => {
    const times = evenly(200, 10, 70)
    const spread = spreadOf(times) ?? 0
    expect(spread).toBeGreaterThan(57)
    expect(spread).toBeLessThanOrEqual(60)
    expect(spreadOf(times.toReversed())).toBe(spread)
  })

  test('is not changed by a single outlier, and is by several', () => {
    expect(spreadOf([...evenly(40, 10, 12), 2_000])).toBeLessThanOrEqual(2)
    expect(spreadOf([...evenly(40, 10, 12), 1])).toBeLessThanOrEqual(2)
    expect(spreadOf([...evenly(40, 10, 12), 70, 71, 72])).toBeGreaterThan(55)
  })
})

describe('the estimate of the margin', () => {
  const open = (marginMs = 20) => {
    const estimate = openMarginEstimate({ limit: 60, marginMs, cautionMs })
    const note = (roundTrips: readonly number[], { waited = false, at = 0 } = {}) => {
      for (const roundTripMs of roundTrips) estimate.noteAccepted({ roundTripMs, waited }, at)
    }
    return { ...estimate, note }
  }

  test('is cautious until enough is known, and again after ten minutes without answers', () => {
    const estimate = open()
    expect(estimate.marginMs(0)).toBe(80)
    estimate.note(Array(29).fill(50))
    expect(estimate.marginMs(0)).toBe(80)
    estimate.note([50])
    expect(estimate.marginMs(0)).toBe(20)
    expect(estimate.marginMs(600_000)).toBe(20)
    expect(estimate.marginMs(600_001)).toBe(80)
    estimate.note([50], { at: 700_000 })
    expect(estimate.marginMs(700_000)).toBe(80)
  })

  test('follows the spread of the last answers, within its bounds', () => {
    const estimate = open()
    estimate.note(evenly(256, 10, 60))
    expect(estimate.marginMs(0)).toBeGreaterThan(48)
    expect(estimate.marginMs(0)).toBeLessThanOrEqual(50)
    estimate.note(evenly(256, 10, 900))
    expect(estimate.marginMs(0)).toBe(80)
    estimate.note(evenly(256, 10, 12))
    expect(estimate.marginMs(0)).toBe(20)
  })

  test('never is below the margin that was configured, even if that is wider than caution', () => {
    const estimate = open(120)
    expect(estimate.marginMs(0)).toBe(120)
    estimate.note(evenly(256, 10, 900))
    expect(estimate.marginMs(0)).toBe(120)
  })

  test('learns nothing if caution is zero', () => {
    const estimate = openMarginEstimate({ limit: 60, marginMs: 20, cautionMs: 0 })
    expect(estimate.marginMs(0)).toBe(20)
    for (const roundTripMs of evenly(256, 10, 900)) estimate.noteAccepted({ roundTripMs, waited: false }, 0)
    expect(estimate.marginMs(0)).toBe(20)
    expect(estimate.noteRefused(0)).toBe(30)
  })

  test('narrows by about a millisecond for each second in which the limit was used whole, down to the smallest', () => {
    const estimate = open()
    const dice = openDice(1)
    const second = (waited: boolean, at: number) =>
      estimate.note(
        Array.from({ length: 60 }, () => 50 + 300 * dice.next()),
        { waited, at },
      )
    for (let n = 0; n < 5; n++) second(false, n * 1_000)
    expect(estimate.marginMs(5_000)).toBe(80)
    for (let n = 5; n < 35; n++) second(true, n * 1_000)
    expect(estimate.marginMs(35_000)).toBeGreaterThan(47)
    expect(estimate.marginMs(35_000)).toBeLessThan(56)
    for (let n = 35; n < 120; n++) second(true, n * 1_000)
    expect(estimate.marginMs(120_000)).toBe(20)
  })

  test('after a refusal is what the spread says, and narrows by no more than a millisecond in a minute', () => {
    const estimate = open()
    const dice = openDice(2)
    const seconds = (from: number, to: number) => {
      for (let n = from; n < to; n++)
        estimate.note(
          Array.from({ length: 60 }, () => 50 + 300 * dice.next()),
          { waited: true, at: n * 1_000 },
        )
    }
    seconds(0, 45)
    expect(estimate.marginMs(45_000)).toBeLessThan(50)
    expect(estimate.noteRefused(45_000)).toBeLessThan(1)
    expect(estimate.marginMs(45_000)).toBe(80)
    seconds(45, 165)
    expect(estimate.marginMs(165_000)).toBeGreaterThan(77.9)
    expect(estimate.marginMs(165_000)).toBeLessThan(79)
  })

  test('asks for a wider margin than it knows of if the way is even and the service refuses nevertheless', () => {
    const estimate = open()
    estimate.note(Array(60).fill(50))
    expect(estimate.noteRefused(0)).toBe(30)
  })
})

const uniform = (fromMs: number, toMs: number) => (dice: { next(): number }) => fromMs + (toMs - fromMs) * dice.next()
const seconds = 300
/** The goal: at most one refusal in 1,000 calls. */
const refusedOf = ({ accepted, refused }: { accepted: number[]; refused: number[] }) =>
  (refused.length * 1_000) / (accepted.length + refused.length)

// Single-digit seeds are too much alike.
describe.each(Array.from({ length: sized(1, 20) }, (_, i) => 11 + 7 * i))(
  'five minutes at the limit, seed %i,',
  (seed) => {
    const send = (way: Way, caution = cautionMs) => sendOver(way, { seconds, seed, cautionMs: caution })

    test('over an even way, use all that the smallest margin leaves', async () => {
      const sent = await send({ thereMs: () => 20 })
      expect(sent.refused).toEqual([])
      expect(shareOf(sent, 5, seconds)).toBeGreaterThan(0.975)
    })

    test.each<[string, Way['thereMs']]>([
      ['0 to 60 ms', uniform(0, 60)],
      ['a tenth of the requests 60 ms later', (dice) => (dice.chance(0.1) ? 70 : 10)],
      ['0 to 60 ms, for two seconds in ten', (dice, at) => (at % 10_000 < 2_000 ? 60 * dice.next() : 30)],
    ])('over a way with a jitter (%s), use 0.92 and are refused at most once in 1,000', async (_, thereMs) => {
      const sent = await send({ thereMs })
      expect(shareOf(sent, 0, seconds)).toBeGreaterThanOrEqual(0.92)
      expect(refusedOf(sent)).toBeLessThanOrEqual(1)
      const unlearnt = await send({ thereMs }, 0)
      expect(unlearnt.refused.length).toBeGreaterThan(sent.refused.length)
    })

    test('over a way that drifts slowly, use nearly all', async () => {
      const sent = await send({ thereMs: (dice, at) => 100 + 90 * Math.sin(at / 30_000) + 5 * dice.next() })
      expect(sent.refused).toEqual([])
      expect(shareOf(sent, 5, seconds)).toBeGreaterThan(0.97)
    })

    test('when the route changes, lose no more than the requests that overtake each other', async () => {
      const sent = await send({
        thereMs: (dice, at) => (Math.floor(at / 60_000) % 2 === 0 ? 20 : 90) + 4 * dice.next(),
      })
      expect(refusedOf(sent)).toBeLessThanOrEqual(1)
      expect(shareOf(sent, 0, seconds)).toBeGreaterThanOrEqual(0.95)
    })

    test('with a service that takes unevenly long, use nearly all once it is clear that the way is even', async () => {
      const sent = await send({ thereMs: () => 20, workMs: uniform(50, 350) })
      expect(sent.refused).toEqual([])
      expect(shareOf(sent, 0, 60)).toBeGreaterThanOrEqual(0.92)
      expect(shareOf(sent, 120, seconds)).toBeGreaterThan(0.97)
    })
  },
)
