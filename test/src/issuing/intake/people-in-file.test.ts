// Counting the people of a file without the ledger.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { FirstRowHashes, PeopleInFile, type ValidRow } from '#src/issuing/intake/people-in-file.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()
const fields = ['First Name', 'Grade']

/** A row of a person; without `credential` each person has one. */
function aRow(row: number, person: string, more: Partial<ValidRow> & { credential?: string; grade?: string } = {}) {
  const { credential = person, grade = '1', ...rest } = more
  const recipient = { 'First Name': person, Grade: grade }
  return {
    ...{ row, recipient, identityHash: digest(person), issuanceKey: digest(`key of ${credential}`) },
    ...{ inLedger: 'unknown' as const, ...rest },
  }
}
const named = (row: number, person: string, name: string, more: Partial<ValidRow> = {}) => ({
  ...aRow(row, person, more),
  recipient: { 'First Name': name, Grade: '1' },
})
const open = () => new PeopleInFile(fields, ['First Name'])

describe('the people of a file', () => {
  test('are numbered in their order, and each row is counted as what it is', () => {
    const people = open()
    const rows = [
      aRow(2, 'ada'),
      aRow(3, 'bob', { inLedger: 'known' }),
      aRow(4, 'ada'),
      aRow(5, 'ada', { grade: '2' }),
      aRow(6, 'cem', { inLedger: 'changed' }),
      aRow(7, 'ada', { credential: 'second of ada' }),
    ]
    expect(rows.map((row) => people.add(row))).toEqual([
      { person: 0, kind: 'new' },
      { person: 1, kind: 'known' },
      { person: 0, kind: 'duplicates' },
      { person: 0, kind: 'changed' },
      { person: 2, kind: 'changed' },
      { person: 0, kind: 'new' },
    ])
    expect(people.counts()).toEqual({ new: 2, known: 1, changed: 2, duplicates: 1 })
    expect(people.conflictingRows()).toEqual({ rows: 0, refused: 0, examples: [] })
  })

  test('with two names are not counted, and their rows conflict, of which the first three are named', () => {
    const people = open()
    for (const row of [named(9, 'p', 'Ada'), named(10, 'q', 'Bob'), named(12, 'r', 'Cem')]) people.add(row)
    people.add(named(13, 'r', 'Eve'))
    for (const row of [14, 15, 16]) people.add(named(row, 'p', 'Ida'))
    expect([0, 1, 2].map((person) => people.conflicts(person))).toEqual([true, false, true])
    expect(people.counts()).toEqual({ new: 1, known: 0, changed: 0, duplicates: 0 })
    expect(people.conflictingRows()).toEqual({ rows: 6, refused: 0, examples: [9, 12, 13] })
  })

  test('with two names may have one of them in a row that was rejected for another reason, which is not counted twice', () => {
    const people = open()
    people.add(named(2, 'p', 'Ada'))
    people.addRejected(named(3, 'p', 'Eve'))
    people.addRejected(named(4, 'p', 'Ada'))
    people.addRejected(named(5, 'q', 'Bob'))
    people.add(named(6, 'q', 'Bob'))
    expect(people.conflictingRows()).toEqual({ rows: 3, refused: 2, examples: [2, 3, 4] })
    expect(people.counts()).toEqual({ new: 1, known: 0, changed: 0, duplicates: 0 })
  })

  test('have one name in any case and width', () => {
    const people = open()
    for (const name of ['Ada', ' ADA', '\uff21da', 'A\u00adda']) people.add(named(2, 'p', name))
    expect(people.conflicts(0)).toBe(false)
  })

  test('differ in their rows if they have different images', () => {
    const people = open()
    const kinds = [digest('a'), digest('a'), digest('b'), null].map(
      (imageSha256, index) => people.add(aRow(index + 2, 'ada', { imageSha256 })).kind,
    )
    expect(kinds).toEqual(['new', 'duplicates', 'changed', 'duplicates'])
  })
})

describe('the first row of a credential', () => {
  const filled = (name: string, grade: string) => ({ 'First Name': name, Grade: grade })

  test.each<[string, Record<string, string>, Buffer | null, boolean]>([
    ['the same values', filled('Ada', '1'), null, false],
    ['another value for the first field', filled('Adb', '1'), null, true],
    ['another value for the last field', filled('Ada', '2'), null, true],
    ['the letters of a value in another order', filled('dAa', '1'), null, true],
    ['the values in each other’s fields', filled('1', 'Ada'), null, true],
    ['a longer value', filled('Adaa', '1'), null, true],
    ['an empty value', filled('', '1'), null, false],
    ['a missing field', { Grade: '1' }, null, false],
    ['a field that the file does not fill', { ...filled('Ada', '1'), Room: '7' }, null, false],
    ['the same value with a space behind it', filled('Ada ', '1'), null, false],
    ['the same image', filled('Ada', '1'), digest('a'), false],
    ['another image', filled('Ada', '1'), digest('b'), true],
  ])('compared with a row that has %s', (_, recipient, image, differs) => {
    const first = new FirstRowHashes(fields)
    first.keep(filled('Ada', '1'), digest('a'))
    expect(first.differs(0, recipient, image)).toBe(differs)
  })

  test('without a value or an image differs from a row that has them', () => {
    const first = new FirstRowHashes(fields)
    first.keep({ 'First Name': 'Ada' }, null)
    expect(first.differs(0, filled('Ada', '1'), null)).toBe(true)
    expect(first.differs(0, { 'First Name': 'Ada' }, digest('a'))).toBe(true)
    expect(first.differs(0, { 'First Name': 'Ada' }, null)).toBe(false)
  })

  test('is found among others', () => {
    const first = new FirstRowHashes(fields)
    for (const name of ['Ada', 'Bob', 'Cem']) first.keep(filled(name, '1'), null)
    expect([0, 1, 2].map((credential) => first.differs(credential, filled('Bob', '1'), null))).toEqual([
      true,
      false,
      true,
    ])
  })
})
