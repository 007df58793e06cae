// One person under two identities in one file.

import { describe, expect, test } from 'vitest'
import { openRowCheck } from '#src/intake/row-check.ts'
import { Hasher } from '#src/issuance/identity.ts'
import { courseFields } from '#test/src/recipients/fields.ts'
import { aCourse } from '#test/support/build.ts'

const header = ['Email', 'First Name', 'Last Name', 'Contact Number', 'Dial code', 'Primary Value']
type Row = [email: string, first: string, last: string, number: string, dial: string, primary: string]

/** The rules that each row breaks. */
function rulesOf(rows: readonly Row[], columns: object = {}): string[] {
  const pipeline = { columns: columns as Record<string, string>, identity: [], occurrence: [], correlation: undefined }
  // The rules about unique values and about the writing of numbers are others.
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

describe('a file whose rows say by different fields who they are', () => {
  test('has one person once: the later row is refused and names the earlier one', () => {
    const [first, second] = rulesOf([byMail, byNumber])
    expect(first).toBe('')
    expect(second).toMatch(/^person_twice: The row names the same person as row 2, by another Primary Value\./)
    expect(rulesOf([byNumber, byMail]).map((rule) => rule !== '')).toEqual([false, true])
  })

  test.each<[string, Row[]]>([
    ['the same row twice', [byMail, byMail]],
    ['two names on one number', [byMail, ['bea@example.org', 'Bea', 'Lovelace', '1711234567', '49', 'Contact Number']]],
    [
      'two people of one name',
      [byMail, ['other@example.org', 'Ada', 'Lovelace', '1717654321', '49', 'Contact Number']],
    ],
  ])('has no fault where it shows %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual(['', ''])
  })

  test('may hold a father and a son at one telephone, who say by the same field who they are', () => {
    const father: Row = ['js1@example.org', 'John', 'Smith', '30 5550', '49', 'Email']
    const son: Row = ['js2@example.org', 'John', 'Smith', '30 5550', '49', 'Email']
    expect(rulesOf([father, son])).toEqual(['', ''])
    const sonByNumber: Row = ['js2@example.org', 'John', 'Smith', '30 5550', '49', 'Contact Number']
    expect(rulesOf([father, son, sonByNumber])[2]).toMatch(/^person_twice: .* row 3,/)
  })

  test('has one person once also where the spelling differs in case, or in marks that nobody sees', () => {
    const other: Row = ['ADA@example.org', 'ADA', 'Lovelace\u00ad', '', '', 'Email']
    expect(rulesOf([byNumber, other])[1]).toMatch(/^person_twice/)
  })

  test('may show one address under another identity where the configuration says who is who', () => {
    const constant = { 'Primary Value': { value: 'Email' } }
    expect(rulesOf([byMail, byNumber], constant)).toEqual(['', ''])
  })
})
