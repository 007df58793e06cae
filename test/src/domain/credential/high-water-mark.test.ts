// Which ledgers may send, given the marks of the last call that stores outside the ledger contain.

import { describe, expect, test } from 'vitest'
import {
  type ClaimNumber,
  type HighWaterMark,
  isLaterMark,
  reasonNotToSend,
  type Witness,
} from '#src/domain/credential/high-water-mark.ts'

const claim = (era: number, number: number): ClaimNumber => ({ era, number, token: `${era}-${number}` })
const markOf = (era: number, number: number, ledger = 'ours'): HighWaterMark => ({
  ...claim(era, number),
  ledger,
  environment: 'live',
  service: 'https://service.example',
  at: '2026-11-01T10:00:00.000Z',
  system: null,
})
const witness = (more: Partial<Witness>): Witness => ({
  where: 'the file mark.json',
  mark: null,
  other: null,
  isUnreadable: false,
  ...more,
})
/** A ledger of the second era, in which claims up to number 5 are recorded. */
const ledger = { era: 2, knows: ({ era, number }: ClaimNumber) => era === 2 && number <= 5 }

test.each<[number, number, number, number, boolean]>([
  [2, 1, 1, 9, true],
  [1, 9, 2, 1, false],
  [2, 2, 2, 1, true],
  [2, 1, 2, 2, false],
  [2, 1, 2, 1, false],
])('the mark %i/%i is later than %i/%i: %s', (era, number, otherEra, otherNumber, isLater) => {
  expect(isLaterMark(claim(era, number), claim(otherEra, otherNumber))).toBe(isLater)
})

describe('a ledger may send', () => {
  test.each<[string, Witness[]]>([
    ['if no store has a mark', [witness({})]],
    ['if there is no store', []],
    ['if it contains the claim of the mark', [witness({ mark: markOf(2, 5) })]],
    ['if nothing was sent in its era', [witness({ mark: markOf(2, 0) })]],
    ['although a mark is of an era that an operator has closed', [witness({ mark: markOf(1, 99) })]],
    [
      'although another store cannot be read, if one vouches for it',
      [witness({ isUnreadable: true }), witness({ mark: markOf(2, 5) })],
    ],
    [
      'although another store names another ledger, if one vouches for it',
      [witness({ other: markOf(2, 9, 'another') }), witness({ mark: markOf(2, 5) })],
    ],
    [
      'if a store has its mark beside that of another ledger',
      [witness({ mark: markOf(2, 5), other: markOf(2, 9, 'another') })],
    ],
    [
      'although a store has its closed mark beside that of another ledger',
      [witness({ mark: markOf(1, 5), other: markOf(2, 9, 'another') })],
    ],
  ])('%s', (_, witnesses) => {
    expect(reasonNotToSend(witnesses, ledger)).toBeNull()
  })

  test('if nothing was ever sent, whatever it contains', () => {
    const empty = { era: 2, knows: () => false }
    expect(reasonNotToSend([witness({ mark: markOf(2, 0) })], empty)).toBeNull()
  })
})

describe('a ledger may not send', () => {
  test.each<[string, Witness[], RegExp]>([
    [
      'if it lacks the claim of the mark',
      [witness({ mark: markOf(2, 6) })],
      /no record of the last call.*number 6.*mark\.json/,
    ],
    ['if the mark is of a later era', [witness({ mark: markOf(3, 1) })], /no record of the last call.*number 1/],
    ['if the mark is of a later era in which nothing was sent', [witness({ mark: markOf(3, 0) })], /rolled back/],
    [
      'if one store of two has a later mark',
      [witness({ mark: markOf(2, 5) }), witness({ where: 'Redis', mark: markOf(2, 6) })],
      /according to Redis/,
    ],
    [
      'if a store cannot be read',
      [witness({}), witness({ where: 'Redis', isUnreadable: true })],
      /^Redis cannot be parsed/,
    ],
    [
      'if a store cannot be read, and the other mark is of a closed era',
      [witness({ mark: markOf(1, 5) }), witness({ where: 'Redis', isUnreadable: true })],
      /^Redis cannot be parsed/,
    ],
    [
      'if a store names only another ledger',
      [witness({}), witness({ where: 'Redis', other: markOf(2, 9, 'another') })],
      /^Redis names another ledger \(another\), which last sent at 2026-11-01T10:00/,
    ],
  ])('%s', (_, witnesses, reason) => {
    expect(reasonNotToSend(witnesses, ledger)).toMatch(reason)
  })
})
