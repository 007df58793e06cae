// The steps of a row for an item in the report that belongs to it, or may belong to it.

import { describe, expect, test } from 'vitest'
import type { State } from '#src/domain/credential/state.ts'
import { type ItemMatch, whenShown } from '#src/issuing/reconcile/decide-shown-row.ts'

const issued: ItemMatch = {
  relation: 'first',
  reading: { kind: 'state', state: 'issued' },
  label: 'Request Completed',
  differing: [],
  knownToPerson: false,
}
const stepsOf = (state: State, more: Partial<ItemMatch>) =>
  whenShown(state, { ...issued, ...more }).steps.map(({ to }) => to)

describe('a row that was proven absent, and is about to be sent again,', () => {
  test('is not sent if its item appears', () => {
    expect(stepsOf('pending', {})).toEqual(['unconfirmed', 'requested', 'in_progress', 'issued'])
    expect(stepsOf('pending', { reading: { kind: 'unknown' } })).toEqual(['unconfirmed', 'requested'])
  })

  test('is held if the item shows another person, fits another row too, or is one of two', () => {
    for (const more of [{ differing: ['Email'] }, { relation: 'shared' as const }, { relation: 'one of two' as const }])
      expect(stepsOf('pending', more)).toEqual(['unconfirmed', 'held'])
  })

  test('is not sent for an item that fits two rows, even if an operator knew the item', () => {
    expect(stepsOf('pending', { relation: 'shared', knownToPerson: true })).toEqual(['unconfirmed'])
  })
})

describe('an item that an operator knew when deciding about the row', () => {
  test.each<[Partial<ItemMatch>, State[]]>([
    [{ relation: 'spare' }, []],
    [{ relation: 'shared' }, []],
    [{ relation: 'one of two' }, ['in_progress', 'issued']],
    [{ differing: ['Email'] }, ['in_progress', 'issued']],
  ])('does not hold it again: %j', (more, steps) => {
    expect(stepsOf('requested', { ...more, knownToPerson: true })).toEqual(steps)
  })
})

describe('an item that nobody knew', () => {
  test.each<Partial<ItemMatch>>([
    { relation: 'spare' },
    { relation: 'shared' },
    { relation: 'one of two' },
    { differing: ['Email'] },
  ])('holds an open row: %j', (more) => {
    for (const state of ['unconfirmed', 'requested', 'in_progress'] as const)
      expect(stepsOf(state, more)).toEqual(['held'])
    for (const state of ['issued', 'rejected', 'failed', 'revoked'] as const)
      expect(stepsOf(state, { ...more, reading: { kind: 'stays' } })).toEqual([])
  })
})

test('the item of a row that was seen before is followed, whatever it shows', () => {
  expect(stepsOf('requested', { relation: 'known', differing: ['Email'] })).toEqual(['in_progress', 'issued'])
})

test('only a rejected or failed row is told what to do', () => {
  const reasons = (state: State) =>
    whenShown('requested', { ...issued, relation: 'known', reading: { kind: 'state', state } }).steps.map(
      ({ to, reason }) => [to, reason !== null],
    )
  expect(reasons('revoked')).toEqual([
    ['in_progress', false],
    ['issued', false],
    ['revoked', false],
  ])
  expect(reasons('rejected').at(-1)).toEqual(['rejected', true])
  expect(reasons('failed').at(-1)).toEqual(['failed', true])
})
