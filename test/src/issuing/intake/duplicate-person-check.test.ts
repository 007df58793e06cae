// Detecting one person under two identities in one file.

import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { openDuplicatePersonCheck, openRowCheck } from '#src/issuing/intake/row-check.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { aCourse } from '#test/support/domain-objects.ts'

const header = ['Email', 'First Name', 'Last Name', 'Contact Number', 'Dial code', 'Primary Value']
type Row = [email: string, first: string, last: string, number: string, dial: string, primary: string]

/** Returns the violated rules of each row, with their messages. */
function rulesOf(rows: readonly Row[], columns: object = {}): string[] {
  const pipeline = { columns: columns as Record<string, string>, identity: [], occurrence: [], correlation: undefined }
  // Unique values and number formats are not tested here.
  const fields = courseFields.map((field) => ({ ...field, unique: false, regex: '' }))
  const hasher = new Hasher(Buffer.alloc(32, 1))
  const check = openRowCheck({ pipeline, fields, header, course: aCourse, hasher })
  return rows.map((cells, index) =>
    ((check.row({ row: index + 2, cells }).violations ?? []) as { rule: string; sentence: string }[])
      .map(({ rule, sentence }) => `${rule}: ${sentence}`)
      .join(),
  )
}

const byMail: Row = ['ada@example.org', 'Ada', 'Lovelace', '1711234567', '49', 'Email']
const byNumber: Row = ['ada@example.org', 'Ada', 'Lovelace', '1711234567', '49', 'Contact Number']

describe('a file whose rows identify people by different fields', () => {
  test('may contain each person only once: the later row is rejected, with the number of the earlier row', () => {
    const [first, second] = rulesOf([byMail, byNumber])
    expect(first).toBe('')
    expect(second).toMatch(
      /^person_twice: The row names the same person as row 2, but with a different Primary Value\./,
    )
    expect(rulesOf([byNumber, byMail]).map((rule) => rule !== '')).toEqual([false, true])
  })

  test.each<[string, Row[]]>([
    ['the same row twice', [byMail, byMail]],
    [
      'two names with one phone number',
      [byMail, ['bea@example.org', 'Bea', 'Lovelace', '1711234567', '49', 'Contact Number']],
    ],
    [
      'two people with the same name',
      [byMail, ['other@example.org', 'Ada', 'Lovelace', '1717654321', '49', 'Contact Number']],
    ],
  ])('is accepted if it contains %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual(['', ''])
  })

  test('may contain a father and a son with the same phone number if both are identified by the same field', () => {
    const father: Row = ['js1@example.org', 'John', 'Smith', '30 5550', '49', 'Email']
    const son: Row = ['js2@example.org', 'John', 'Smith', '30 5550', '49', 'Email']
    expect(rulesOf([father, son])).toEqual(['', ''])
    const sonByNumber: Row = ['js2@example.org', 'John', 'Smith', '30 5550', '49', 'Contact Number']
    expect(rulesOf([father, son, sonByNumber])[2]).toMatch(/^person_twice: .* row 3,/)
  })

  test('may contain each person only once, ignoring case and invisible characters', () => {
    const other: Row = ['ADA@example.org', 'ADA', 'Lovelace\u00ad', '', '', 'Email']
    expect(rulesOf([byNumber, other])[1]).toMatch(/^person_twice/)
  })

  test('may contain one address with a different Primary Value if the configuration defines the Primary Value', () => {
    const constant = { 'Primary Value': { value: 'Email' } }
    expect(rulesOf([byMail, byNumber], constant)).toEqual(['', ''])
  })
})

test.each([
  ['file', 'Remove one of the two rows, or give both the same Primary Value.'],
  [
    'learning system',
    'If they are one person, that person has the credential already. If not, have the pipeline identify people by more fields (identity).',
  ],
] as const)('the violation says what to do about a row of a %s', (origin, remedy) => {
  const check = openDuplicatePersonCheck(['First Name'], origin)
  const person = { Email: 'ada@example.org', 'Contact Number': '1711234567', 'First Name': 'Ada' }
  expect(check.check(2, { ...person, 'Primary Value': 'Email' })).toEqual([])
  const sentence = `The row names the same person as row 2, but with a different Primary Value. ${remedy}`
  expect(check.check(3, { ...person, 'Primary Value': 'Contact Number' })).toEqual([
    { row: 3, column: '', field: 'Primary Value', rule: 'person_twice', value: '', sentence },
  ])
})
