// The decision after each outcome of an invitation.

import { describe, expect, test } from 'vitest'
import { steps } from '#src/domain/credential/lifecycle.ts'
import type { OutcomeClass } from '#src/domain/credential/outcome-class.ts'
import type { State } from '#src/domain/credential/state.ts'
import { type AnsweredCall, afterSending } from '#src/issuing/reconcile/decide-after-sending.ts'
import type { Decision } from '#src/issuing/reconcile/decision.ts'
import { closesCall } from '#test/support/closes-call.ts'

const outcome = (kind: OutcomeClass, more: Partial<AnsweredCall> = {}): AnsweredCall => ({
  class: kind,
  status: null,
  words: 'the words',
  retryAfterMs: null,
  ...more,
})
const pathOf = (decision: Decision) => decision.steps.map((step) => step.to)
const toPending: State[] = ['unconfirmed', 'pending']

interface Row {
  path: State[]
  closed: boolean
  waitMs: number
  batchLimit?: number
}

describe('after a call', () => {
  test.each<[string, AnsweredCall, number, Row]>([
    ['accepted', outcome('accepted'), 25, { path: ['requested'], closed: true, waitMs: 0 }],
    ['accepted, of one', outcome('accepted'), 1, { path: ['requested'], closed: true, waitMs: 0 }],
    ['not sent', outcome('not_sent'), 25, { path: toPending, closed: true, waitMs: 5_000 }],
    ['throttled', outcome('throttled'), 25, { path: toPending, closed: true, waitMs: 1_000 }],
    [
      'throttled for 7 s',
      outcome('throttled', { retryAfterMs: 7_000 }),
      25,
      { path: toPending, closed: true, waitMs: 7_000 },
    ],
    ['throttled for 0 s', outcome('throttled', { retryAfterMs: 0 }), 25, { path: toPending, closed: true, waitMs: 0 }],
    ['too large', outcome('too_large'), 25, { path: toPending, closed: true, waitMs: 0, batchLimit: 12 }],
    ['too large, of two', outcome('too_large'), 2, { path: toPending, closed: true, waitMs: 0, batchLimit: 1 }],
    ['too large, of one', outcome('too_large'), 1, { path: ['failed'], closed: true, waitMs: 0 }],
    ['refused keys', outcome('unauthorised', { status: 401 }), 25, { path: toPending, closed: true, waitMs: 60_000 }],
    [
      'refused keys, of one',
      outcome('unauthorised', { status: 401 }),
      1,
      { path: toPending, closed: true, waitMs: 60_000 },
    ],
    ['refused, of many', outcome('refused'), 2, { path: ['unconfirmed'], closed: false, waitMs: 0 }],
    ['refused, of one', outcome('refused'), 1, { path: ['failed'], closed: true, waitMs: 0 }],
    [
      'refused because of the course, of one',
      outcome('refused', { courseTrouble: 'the course is disabled' }),
      1,
      { path: ['unconfirmed'], closed: false, waitMs: 0 },
    ],
    [
      'refused as a call (403), of one',
      outcome('refused', { status: 403 }),
      1,
      { path: ['unconfirmed'], closed: false, waitMs: 0 },
    ],
    [
      'refused as a call (404), of one',
      outcome('refused', { status: 404 }),
      1,
      { path: ['unconfirmed'], closed: false, waitMs: 0 },
    ],
    [
      'refused with a message (400), of one',
      outcome('refused', { status: 400 }),
      1,
      { path: ['failed'], closed: true, waitMs: 0 },
    ],
    [
      'not sent because the gate was closed',
      outcome('not_sent', { retryAfterMs: 30_000 }),
      25,
      { path: toPending, closed: true, waitMs: 30_000 },
    ],
    ['unknown', outcome('unknown'), 25, { path: ['unconfirmed'], closed: false, waitMs: 0 }],
    ['unknown, of one', outcome('unknown'), 1, { path: ['unconfirmed'], closed: false, waitMs: 0 }],
  ])('with the outcome “%s”, the rows take the right steps', (_, given, size, { batchLimit = null, ...expected }) => {
    const decision = afterSending(given, size)
    expect({ ...decision, path: pathOf(decision), closed: closesCall(decision) }).toMatchObject({
      ...expected,
      batchLimit,
    })
  })

  const classes: OutcomeClass[] = [
    'not_sent',
    'throttled',
    'too_large',
    'unauthorised',
    'refused',
    'accepted',
    'unknown',
  ]
  const every = classes.flatMap((kind) =>
    [1, 2, 25].map((size) => ({ kind, size, decision: afterSending(outcome(kind), size) })),
  )

  test('every outcome leads only to transitions that the lifecycle allows from sending', () => {
    for (const { decision } of every)
      pathOf(decision).reduce<State>((at, next) => {
        expect(steps[at]).toContain(next)
        return next
      }, 'sending')
  })

  test('no call is repeated that the service may have partly applied', () => {
    const again = every.filter(({ decision }) => pathOf(decision).includes('pending')).map(({ kind }) => kind)
    expect(new Set(again)).toEqual(new Set(['not_sent', 'throttled', 'too_large', 'unauthorised']))
    for (const { kind, size, decision } of every)
      if (kind === 'unknown' || (kind === 'refused' && size > 1)) expect(pathOf(decision)).toEqual(['unconfirmed'])
  })

  test('an attempt stays open exactly as long as the report must be read for it', () => {
    for (const { decision } of every) expect(closesCall(decision)).toBe(pathOf(decision).at(-1) !== 'unconfirmed')
  })

  test('the reason for a single row with too large an image names the image and does not advise fewer rows', () => {
    const reasonOf = (more: Partial<AnsweredCall>) => afterSending(outcome('too_large', more), 1).steps[0]?.reason
    expect(reasonOf({ imageBytes: 9_876_543 })).toBe(
      'the service says that the call is too large: this row alone makes a call of 9.9 MB, most of which is its image. Submit the row again with a smaller image, and then send it with `credsync retry`',
    )
    expect(reasonOf({})).toBe('the service refused it: the words')
  })

  test('the reason for a refusal has the service’s message', () => {
    expect(afterSending(outcome('refused'), 1).steps[0]?.reason).toContain('the words')
    expect(afterSending(outcome('refused'), 2).steps[0]?.reason).toContain('the words')
  })
})

test('a step says how the call was answered', () => {
  const { steps } = afterSending(outcome('throttled'), 25)
  expect(steps.map(({ event }) => event)).toEqual(['call throttled', 'call throttled'])
})
