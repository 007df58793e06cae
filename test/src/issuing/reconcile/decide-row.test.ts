// The decision as a whole: which rule applies to which observation, in each state.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayStep } from '#src/domain/credential/lifecycle.ts'
import { finalStates, type State, states } from '#src/domain/credential/state.ts'
import { decide, inState, type KnownToLedger, type Observation } from '#src/issuing/reconcile/decide-row.ts'
import { aPolicy } from '#test/support/domain-objects.ts'

const noon = new Date('2026-03-01T12:00:00Z')
const later = (ms: number) => new Date(noon.getTime() + ms)
const nothing = { steps: [], waitMs: 0, batchCap: null, countsAsResend: false, countsAsLook: false, batchLimit: null }
const sending: KnownToLedger = {
  ...inState('sending'),
  call: { outcome: null, size: 5, overAt: later(90_000), deadlineAt: later(90_000), batchShown: false },
}

describe('without an observation', () => {
  test('a pending row is sent', () => {
    expect(decide(inState('pending'), { kind: 'none' }, noon, aPolicy()).steps).toMatchObject([
      { to: 'sending', event: 'sending' },
    ])
  })

  test('an open call may last until its deadline; after that its worker is dead and the outcome is unknown', () => {
    expect(decide(sending, { kind: 'none' }, later(90_000), aPolicy()).steps).toEqual([])
    expect(decide(sending, { kind: 'none' }, later(90_001), aPolicy()).steps).toMatchObject([{ to: 'unconfirmed' }])
    expect(decide(sending, { kind: 'none' }, later(90_000), aPolicy())).toEqual(nothing)
  })

  test.each(states.filter((state) => state !== 'pending' && state !== 'sending'))(
    'a row that is %s keeps its state',
    (state) => {
      expect(decide({ ...sending, state }, { kind: 'none' }, later(1e9), aPolicy()).steps).toEqual([])
    },
  )
})

const dates = fc.integer({ min: -1e8, max: 1e8 }).map(later)
const known: fc.Arbitrary<KnownToLedger> = fc.record({
  state: fc.constantFrom(...states),
  call: fc.option(
    fc.record({
      outcome: fc.constantFrom('unknown' as const, 'refused' as const, null),
      size: fc.integer({ min: 1, max: 100 }),
      overAt: dates,
      deadlineAt: dates,
      batchShown: fc.boolean(),
    }),
  ),
  looks: fc.integer({ min: 0, max: 60 }),
  controlledLooks: fc.integer({ min: 0, max: 60 }),
  lastLookAt: fc.option(dates),
  resends: fc.integer({ min: 0, max: 2 }),
})
const observations: fc.Arbitrary<Observation> = fc.oneof(
  fc.constant({ kind: 'none' as const }),
  fc.record({
    kind: fc.constant('answer' as const),
    size: fc.integer({ min: 1, max: 100 }),
    answer: fc.record({
      class: fc.constantFrom('not_sent', 'throttled', 'too_large', 'unauthorised', 'refused', 'accepted', 'unknown'),
      status: fc.constantFrom(null, 200, 400, 403, 404, 429, 500),
      words: fc.constant('words'),
      retryAfterMs: fc.option(fc.nat(60_000)),
      courseTrouble: fc.option(fc.constant('the course is disabled')),
    }),
  }),
  fc.record({
    kind: fc.constant('shown' as const),
    item: fc.record({
      relation: fc.constantFrom('first', 'known', 'spare', 'shared'),
      reading: fc.oneof(
        fc.constantFrom({ kind: 'stays' as const }, { kind: 'unknown' as const }),
        fc.record({
          kind: fc.constant('state' as const),
          state: fc.constantFrom<State>('requested', 'in_progress', 'issued', 'rejected', 'failed', 'revoked'),
        }),
      ),
      label: fc.constant('label'),
      differing: fc.constantFrom([], ['Email']),
      knownToPerson: fc.boolean(),
    }),
  }),
  fc.record({ kind: fc.constant('not shown' as const), scanStartedAt: dates, controlShown: fc.boolean() }),
)

describe('in every situation', () => {
  test('all transitions are part of the lifecycle', () => {
    fc.assert(
      fc.property(known, observations, dates, (row, observed, now) => {
        let at = row.state
        for (const { to } of decide(row, observed, now, aPolicy()).steps) {
          expect([at, to, mayStep(at, to)]).toEqual([at, to, true])
          at = to
        }
      }),
      { numRuns: 5_000 },
    )
  })

  test('a settled row is changed only by the report, and only to revoked', () => {
    fc.assert(
      fc.property(known, observations, dates, (row, observed, now) => {
        if (!finalStates.includes(row.state) && row.state !== 'held') return
        for (const { to } of decide(row, observed, now, aPolicy()).steps) expect(to).toBe('revoked')
      }),
      { numRuns: 5_000 },
    )
  })

  test('a row that may have been applied returns to pending only after a scan that proves it was not', () => {
    fc.assert(
      fc.property(known, observations, dates, (row, observed, now) => {
        const decision = decide(row, observed, now, aPolicy())
        if (decision.steps.at(-1)?.to !== 'pending' || row.state === 'sending') return
        expect(row.state).toBe('unconfirmed')
        expect(observed.kind).toBe('not shown')
        expect(row.looks + (decision.countsAsLook ? 1 : 0)).toBeGreaterThanOrEqual(2)
        expect(row.call?.batchShown).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })
})
