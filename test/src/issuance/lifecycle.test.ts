import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayStep, roadTo, steps } from '#src/issuance/lifecycle.ts'
import { countIn, finalStates, noStates, restingStates, type State, states, totalOf } from '#src/issuance/state.ts'

const pairs = states.flatMap((from) => states.map((to): [State, State] => [from, to]))

describe('the lifecycle', () => {
  test('draws every road from listed steps only, and to the state that was asked for', () => {
    const roads = pairs.flatMap(([from, to]) => {
      const road = roadTo(from, to)
      return road && road.length > 0 ? [{ from, to, road }] : []
    })
    for (const { from, to, road } of roads) {
      expect(road.at(-1)).toBe(to)
      road.reduce((at, next) => {
        expect(mayStep(at, next), `${at} to ${next}, on the road from ${from} to ${to}`).toBe(true)
        return next
      }, from)
    }
    expect(roads.length).toBeGreaterThan(15)
  })

  test.each<[State, State, State[] | null]>([
    ['requested', 'requested', []],
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
  ])('from %s the report leads to %s by %j', (from, to, road) => {
    expect(roadTo(from, to)).toEqual(road)
  })

  test('lets nothing leave a state of rest but by revocation or by a person', () => {
    const leaving = restingStates.flatMap((from) => steps[from].map((to) => `${from} to ${to}`))
    expect(leaving.toSorted()).toEqual([
      'failed to pending',
      'held to pending',
      'held to requested',
      'issued to revoked',
    ])
  })

  test('reaches sending from pending only, so that a row is sent from one place', () => {
    expect(pairs.filter(([from, to]) => to === 'sending' && mayStep(from, to))).toEqual([['pending', 'sending']])
  })

  test('goes back to pending from unconfirmed, and by a person from failed and held', () => {
    expect(pairs.filter(([from, to]) => to === 'pending' && mayStep(from, to))).toEqual([
      ['unconfirmed', 'pending'],
      ['failed', 'pending'],
      ['held', 'pending'],
    ])
  })
})

describe('counts of states', () => {
  test('add up, whatever they are', () => {
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
