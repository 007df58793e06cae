// The computations behind slots: when the next send may happen, how refusals widen the margin, and how long a refused
// endpoint is paused.

import { describe, expect, test } from 'vitest'
import { marginAt, nextSend, widen, widening } from '#src/platform/limits/pace.ts'
import { longerPause, type PausePeriod, pauseLeft } from '#src/platform/limits/pauses.ts'
import { openLatencyEstimate } from '#src/platform/limits/slot-client.ts'

// Sends of this rule are 250 ms apart.
const rule = { limit: 4, windowMs: 1_000 }

describe('the next send', () => {
  test.each<[string, { log: number[]; due: number }, number, { at: number; due: number }]>([
    ['follows the last one evenly spaced', { log: [0], due: 0 }, 0, { at: 250, due: 250 }],
    ['is due 100 ms ago at the earliest, after an idle time', { log: [], due: -1_000 }, 500, { at: 400, due: 400 }],
    ['makes up for a short delay', { log: [], due: 200 }, 500, { at: 450, due: 450 }],
    ['follows at half the spacing while it catches up', { log: [380], due: -1_000 }, 500, { at: 505, due: 400 }],
    ['waits until the oldest send has left the window', { log: [0, 1, 2, 3], due: 3 }, 4, { at: 1_000, due: 253 }],
    ['does not wait for the window if that has room', { log: [0, 1, 2], due: 2 }, 3, { at: 252, due: 252 }],
    ['ignores sends before the last four', { log: [-900, 0, 1, 2, 3], due: 3 }, 4, { at: 1_000, due: 253 }],
  ])('%s', (_, pace, now, expected) => {
    expect(nextSend(pace, rule, now)).toEqual(expected)
  })
})

describe('a refusal', () => {
  test.each<[number, number]>([
    [0, 30],
    [40_000, 20],
    [120_000, 0],
    [130_000, 0],
    [-5_000, 30],
  ])('widens the margin, of which after %i ms are left %i', (now, left) => {
    expect(marginAt({ ms: 30, at: 0 }, now)).toBe(left)
  })

  test.each([
    [{ ms: 0, at: 0 }, 0, { ms: 30, at: 0 }],
    [{ ms: 30, at: 0 }, 40_000, { ms: 50, at: 40_000 }],
    [{ ms: 470, at: 5 }, 5, { ms: 500, at: 5 }],
    [{ ms: 490, at: 5 }, 5, { ms: 500, at: 5 }],
  ])('widens what is left of %j at %i', (before, now, widened) => {
    expect(widen(before, widening.stepMs, now)).toEqual(widened)
  })
})

describe('a pause', () => {
  test.each<[PausePeriod | null, number, number]>([
    [null, 5, 0],
    [{ since: 10, until: 50 }, 9, 0],
    [{ since: 10, until: 50 }, 10, 40],
    [{ since: 10, until: 50 }, 49, 1],
    [{ since: 10, until: 50 }, 50, 0],
    [{ since: 10, until: 50 }, 60, 0],
  ])('of %j has at %i so much left: %i', (paused, now, left) => {
    expect(pauseLeft(paused, now)).toBe(left)
  })

  const guess = (ms: number) => ({ ms, namedByService: false, sentAgoMs: 0 })
  const named = (ms: number) => ({ ms, namedByService: true, sentAgoMs: 0 })
  const second = { since: 0, until: 1_000 }
  test.each<[string, PausePeriod | null, ReturnType<typeof named>, number, PausePeriod]>([
    ['is as long as the first refusal says', null, guess(100), 7, { since: 7, until: 107 }],
    ['does not change with a further refusal', second, guess(5_000), 999, second],
    ['is not shortened by the service', second, named(100), 500, second],
    ['is extended by the service', second, named(700), 500, { since: 0, until: 1_200 }],
    ['doubles right after the last one', second, guess(1_000), 1_000, { since: 1_000, until: 3_000 }],
    ['doubles up to a second after a short one', second, guess(1_000), 1_999, { since: 1_999, until: 3_999 }],
    ['doubles its own length', { since: 500, until: 1_000 }, guess(100), 1_400, { since: 1_400, until: 2_400 }],
    ['does not double a second after it', second, guess(1_000), 2_000, { since: 2_000, until: 3_000 }],
    ['does not double if the service names it', second, named(1_000), 1_500, { since: 1_500, until: 2_500 }],
    ['is never shorter than our guess', second, guess(9_000), 1_500, { since: 1_500, until: 10_500 }],
    [
      'doubles within the length of a long one',
      { since: 0, until: 10_000 },
      guess(1_000),
      19_999,
      { since: 19_999, until: 39_999 },
    ],
    ['after a tiny one is a second', { since: 0, until: 10 }, guess(10), 900, { since: 900, until: 1_900 }],
    [
      'doubles to a minute at most',
      { since: 0, until: 50_000 },
      guess(1_000),
      50_001,
      { since: 50_001, until: 110_001 },
    ],
    [
      'forgets one that begins in the future, because the clock was rolled back',
      { since: 5_000, until: 6_000 },
      guess(1_000),
      1_000,
      { since: 1_000, until: 2_000 },
    ],
  ])('%s', (_, before, refusal, now, expected) => {
    expect(longerPause(before, refusal, now)).toEqual(expected)
  })
})

test.each<[string, number[], number]>([
  ['no answers', [], 0],
  ['one answer', [10], 15],
  ['two equal answers', [10, 10], 12.5],
  ['a quicker answer', [10, 2], 16],
  ['an answer that was read late, which counts as three times the mean at most', [10, 100], 24.875],
  ['an endless one, up to half a second', [10_000], 500],
])('the time for an answer of Redis is estimated from %s', (_, answers, leadMs) => {
  const estimate = openLatencyEstimate()
  for (const ms of answers) estimate.note(ms)
  expect(estimate.leadMs()).toBe(leadMs)
})
