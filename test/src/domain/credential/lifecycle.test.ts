// The allowed steps between states, the paths of the report, and counts of states.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayStep, steps, stepsTo } from '#src/domain/credential/lifecycle.ts'
import {
  countIn,
  finalStates,
  noStates,
  restingStates,
  type State,
  states,
  totalOf,
} from '#src/domain/credential/state.ts'

const pairs = states.flatMap((from) => states.map((to): [State, State] => [from, to]))

describe('the lifecycle', () => {
  test('builds every path from listed steps only, up to the requested state', () => {
    const paths = pairs.flatMap(([from, to]) => {
      const path = stepsTo(from, to)
      return path && path.length > 0 ? [{ from, to, path }] : []
    })
    for (const { from, to, path } of paths) {
      expect(path.at(-1)).toBe(to)
      path.reduce((at, next) => {
        expect(mayStep(at, next), `${at} to ${next}, on the path from ${from} to ${to}`).toBe(true)
        return next
      }, from)
    }
    expect(paths.length).toBeGreaterThan(15)
  })

  test.each<[State, State, State[] | null]>([
    ['requested', 'requested', []],
    ['pending', 'pending', []],
    ['held', 'held', []],
    ['sending', 'requested', ['requested']],
    ['requested', 'issued', ['in_progress', 'issued']],
    ['requested', 'revoked', ['in_progress', 'issued', 'revoked']],
    ['requested', 'rejected', ['in_progress', 'rejected']],
    ['in_progress', 'failed', ['failed']],
    ['issued', 'revoked', ['revoked']],
    ['unconfirmed', 'issued', ['requested', 'in_progress', 'issued']],
    ['sending', 'in_progress', ['requested', 'in_progress']],
    ['in_progress', 'requested', null],
    ['issued', 'in_progress', null],
    ['issued', 'rejected', null],
    ['rejected', 'issued', null],
    ['failed', 'issued', null],
    ['revoked', 'issued', null],
    ['held', 'issued', null],
    ['pending', 'requested', null],
    ['requested', 'held', null],
    ['requested', 'pending', null],
  ])('if the report moves a row from %s to %s, the path is %j', (from, to, path) => {
    expect(stepsTo(from, to)).toEqual(path)
  })

  test('leaves a final state only by revocation or by an operator', () => {
    const leaving = restingStates.flatMap((from) => steps[from].map((to) => `${from} to ${to}`))
    expect(leaving.toSorted()).toEqual([
      'failed to pending',
      'held to pending',
      'held to requested',
      'issued to revoked',
    ])
  })

  test('reaches sending only from pending, so that there is only one way to send a row', () => {
    expect(pairs.filter(([from, to]) => to === 'sending' && mayStep(from, to))).toEqual([['pending', 'sending']])
  })

  test('returns to pending from unconfirmed, and by an operator’s decision from failed and held', () => {
    expect(pairs.filter(([from, to]) => to === 'pending' && mayStep(from, to))).toEqual([
      ['unconfirmed', 'pending'],
      ['failed', 'pending'],
      ['held', 'pending'],
    ])
  })
})

describe('counts of states', () => {
  test('add up in every case', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states)), (rows) => {
        const counts = noStates()
        for (const state of rows) counts[state]++
        expect(totalOf(counts)).toBe(rows.length)
        expect(countIn(counts, restingStates)).toBe(countIn(counts, finalStates) + counts.held)
      }),
    )
  })
})
