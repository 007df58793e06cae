// A person who appears with two Primary Value fields is found; different people are not mixed up.

import { expect, test } from 'vitest'
import { PersonIndex } from '#src/domain/credential/person-index.ts'

const ada = { Email: 'ada@x.org', Name: 'Ada', 'Contact Number': '171 1234567', 'Dial code': '+49', Term: '1' }
const byMail = { ...ada, 'Primary Value': 'Email' }
const byNumber = { ...ada, 'Primary Value': 'Contact Number' }

/** Whether the second record is found after the first was added. */
function finds(first: Record<string, string>, second: Record<string, string>): boolean {
  const people = new PersonIndex(['Name'], ['Term'])
  people.add(7, first)
  const found = people.find(second)
  expect(found === null || found === 7).toBe(true)
  return found !== null
}

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['by the address', byMail, { ...byNumber, 'Contact Number': '1' }],
  ['by the number', byNumber, { ...byMail, Email: 'other@x.org' }],
  [
    'by the number with its dial code in one cell',
    byMail,
    { ...byNumber, Email: '', 'Contact Number': '+49171 1234567', 'Dial code': '' },
  ],
  [
    'by the number without a dial code',
    byMail,
    { ...byNumber, Email: '', 'Contact Number': '0171 1234567', 'Dial code': '' },
  ],
  ['if the Primary Value differs from the field name in case', byMail, { ...ada, 'Primary Value': 'contact number' }],
  ['if a row has no Primary Value, which means the address', ada, byNumber],
])('a person is found %s', (_, first, second) => {
  expect(finds(first, second)).toBe(true)
})

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['the same Primary Value field', byMail, { ...byMail, Email: 'son@x.org' }],
  ['another name', byMail, { ...byNumber, Name: 'Eve' }],
  ['another occasion', byMail, { ...byNumber, Term: '2' }],
  ['nothing in common', byMail, { ...byNumber, Email: 'o@x.org', 'Contact Number': '5' }],
  [
    'no address and no number',
    { Name: 'Ada', Term: '1' },
    { Name: 'Ada', Term: '1', 'Primary Value': 'Contact Number' },
  ],
])('a record with %s is not found as the same person', (_, first, second) => {
  expect(finds(first, second)).toBe(false)
})

test('occasions of two fields are compared field by field', () => {
  const people = new PersonIndex(['Name'], ['Term', 'Group'])
  people.add(7, { ...byMail, Term: '1', Group: '23' })
  expect(people.find({ ...byNumber, Term: '12', Group: '3' })).toBeNull()
  expect(people.find({ ...byNumber, Term: '1', Group: '23' })).toBe(7)
})
