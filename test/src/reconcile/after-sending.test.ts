import { describe, expect, test } from 'vitest'
import { steps } from '#src/issuance/lifecycle.ts'
import type { State } from '#src/issuance/state.ts'
import { type AnsweredCall, afterSending, type OutcomeClass } from '#src/reconcile/after-sending.ts'
import type { Decision } from '#src/reconcile/decision.ts'
import { closesCall } from '#test/support/closes-call.ts'

const outcome = (kind: OutcomeClass, more: Partial<AnsweredCall> = {}): AnsweredCall => ({
  class: kind,
  status: null,
  words: 'the words',
  authRefused: false,
  retryAfterMs: null,
  ...more,
})
const roadOf = (decision: Decision) => decision.steps.map((step) => step.to)
const back: State[] = ['unconfirmed', 'pending']
const refusedKeys = { authRefused: true, status: 401 }

interface Row {
  road: State[]
  closed: boolean
  waitMs: number
  batchLimit?: number
}

describe('after a call', () => {
  test.each<[string, AnsweredCall, number, Row]>([
    ['accepted', outcome('accepted'), 25, { road: ['requested'], closed: true, waitMs: 0 }],
    ['accepted, of one', outcome('accepted'), 1, { road: ['requested'], closed: true, waitMs: 0 }],
    ['not sent', outcome('not_sent'), 25, { road: back, closed: true, waitMs: 5_000 }],
    ['throttled', outcome('throttled'), 25, { road: back, closed: true, waitMs: 1_000 }],
    [
      'throttled for 7 s',
      outcome('throttled', { retryAfterMs: 7_000 }),
      25,
      { road: back, closed: true, waitMs: 7_000 },
    ],
    ['throttled for 0 s', outcome('throttled', { retryAfterMs: 0 }), 25, { road: back, closed: true, waitMs: 0 }],
    ['too large', outcome('too_large'), 25, { road: back, closed: true, waitMs: 0, batchLimit: 12 }],
    ['too large, of two', outcome('too_large'), 2, { road: back, closed: true, waitMs: 0, batchLimit: 1 }],
    ['too large, of one', outcome('too_large'), 1, { road: ['failed'], closed: true, waitMs: 0 }],
    ['refused keys', outcome('refused', refusedKeys), 25, { road: back, closed: true, waitMs: 60_000 }],
    ['refused keys, of one', outcome('refused', refusedKeys), 1, { road: back, closed: true, waitMs: 60_000 }],
    ['refused, of many', outcome('refused'), 2, { road: ['unconfirmed'], closed: false, waitMs: 0 }],
    ['refused, of one', outcome('refused'), 1, { road: ['failed'], closed: true, waitMs: 0 }],
    [
      'refused for its course, of one',
      outcome('refused', { courseTrouble: 'the course is disabled' }),
      1,
      { road: ['unconfirmed'], closed: false, waitMs: 0 },
    ],
    [
      'refused as a call (403), of one',
      outcome('refused', { status: 403 }),
      1,
      { road: ['unconfirmed'], closed: false, waitMs: 0 },
    ],
    [
      'refused as a call (404), of one',
      outcome('refused', { status: 404 }),
      1,
      { road: ['unconfirmed'], closed: false, waitMs: 0 },
    ],
    [
      'refused in words (400), of one',
      outcome('refused', { status: 400 }),
      1,
      { road: ['failed'], closed: true, waitMs: 0 },
    ],
    [
      'not sent because the gate was shut',
      outcome('not_sent', { retryAfterMs: 30_000 }),
      25,
      { road: back, closed: true, waitMs: 30_000 },
    ],
    ['unknown', outcome('unknown'), 25, { road: ['unconfirmed'], closed: false, waitMs: 0 }],
    ['unknown, of one', outcome('unknown'), 1, { road: ['unconfirmed'], closed: false, waitMs: 0 }],
  ])('%s', (_, given, size, { batchLimit = null, ...expected }) => {
    const decision = afterSending(given, size)
    expect({ ...decision, road: roadOf(decision), closed: closesCall(decision) }).toMatchObject({
      ...expected,
      batchLimit,
    })
  })

  const classes: OutcomeClass[] = ['not_sent', 'throttled', 'too_large', 'refused', 'accepted', 'unknown']
  const every = classes.flatMap((kind) =>
    [1, 2, 25].flatMap((size) =>
      [false, true].map((authRefused) => ({
        kind,
        size,
        disposal: afterSending(outcome(kind, { authRefused }), size),
      })),
    ),
  )

  test('walks steps of the lifecycle from sending, whatever came of it', () => {
    for (const { disposal } of every)
      roadOf(disposal).reduce<State>((at, next) => {
        expect(steps[at]).toContain(next)
        return next
      }, 'sending')
  })

  test('sends nothing again of which the service may have taken a part', () => {
    const again = every.filter(({ disposal }) => roadOf(disposal).includes('pending')).map(({ kind }) => kind)
    expect(new Set(again)).toEqual(new Set(['not_sent', 'throttled', 'too_large', 'refused']))
    for (const { kind, size, disposal } of every)
      if (kind === 'unknown') expect(roadOf(disposal)).toEqual(['unconfirmed'])
      else if (kind === 'refused' && size > 1 && roadOf(disposal).includes('pending'))
        expect(disposal.steps[0]?.reason).toContain('keys')
  })

  test('keeps an attempt open exactly while the report must be asked about it', () => {
    for (const { disposal } of every) expect(closesCall(disposal)).toBe(roadOf(disposal).at(-1) !== 'unconfirmed')
  })

  test('says of one row with an image that is too large what makes it so, and not to send fewer', () => {
    const reasonOf = (more: Partial<AnsweredCall>) => afterSending(outcome('too_large', more), 1).steps[0]?.reason
    expect(reasonOf({ imageBytes: 9_876_543 })).toBe(
      'the service calls it too large: this row alone makes a call of 9.9 MB, most of it its image. Hand the row in again with a smaller image, and then send it with `credsync retry`',
    )
    expect(reasonOf({})).toBe('the service refused it: the words')
  })

  test("tells the service's own words about what it refused", () => {
    expect(afterSending(outcome('refused'), 1).steps[0]?.reason).toContain('the words')
    expect(afterSending(outcome('refused'), 2).steps[0]?.reason).toContain('the words')
  })
})
