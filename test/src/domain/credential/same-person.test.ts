// Whether two records that the report cannot tell apart are one person.

import { expect, test } from 'vitest'
import { isSamePerson } from '#src/domain/credential/same-person.ts'

const ada = { Email: 'office@x.org', 'First Name': 'Ada', 'Last Name': 'Byron', 'Register Number': 'R1', Term: '1' }
const byNumber = { identity: ['Register Number'], occurrence: ['Term'], nameFields: ['First Name', 'Last Name'] }
const byPrimaryValue = { ...byNumber, identity: [] }
const without = (field: string) => ({ ...ada, [field]: '' })

test.each([
  ['has the same number and another name', ada, { ...ada, 'Last Name': 'King' }, byNumber, true],
  ['has another number and the same name', ada, { ...ada, 'Register Number': 'R2' }, byNumber, false],
  ['has the number with an invisible character', ada, { ...ada, 'Register Number': ' R1\u200b' }, byNumber, true],
  ['had no number, and has the same name', without('Register Number'), ada, byNumber, true],
  [
    'had no number, and has the name in capitals',
    without('Register Number'),
    { ...ada, 'First Name': 'ADA' },
    byNumber,
    true,
  ],
  ['had no number, and has another name', without('Register Number'), { ...ada, 'First Name': 'Eve' }, byNumber, false],
  ['had no number, and has only one name', without('Register Number'), { ...ada, 'Last Name': '' }, byNumber, false],
  ['is here for another occasion', ada, { ...ada, Term: '2' }, byNumber, false],
  ['is here for another occasion, had no number', without('Register Number'), { ...ada, Term: '2' }, byNumber, false],
  [
    'has the address that Primary Value names, and another name',
    ada,
    { ...ada, 'First Name': 'Eve' },
    byPrimaryValue,
    true,
  ],
  ['has another address than Primary Value names', ada, { ...ada, Email: 'b@x.org' }, byPrimaryValue, false],
  [
    'has none of two identity fields that differ',
    ada,
    { ...ada, Email: 'b@x.org' },
    { ...byNumber, identity: ['Register Number', 'Email'] },
    false,
  ],
  [
    'had one of two identity fields, and the same name',
    without('Register Number'),
    ada,
    { ...byNumber, identity: ['Register Number', 'Email'] },
    true,
  ],
  [
    'has the phone number in groups',
    { ...ada, Phone: '+49 171 5' },
    { ...ada, Phone: '+49171-5' },
    { ...byNumber, identity: ['Phone'] },
    true,
  ],
  [
    'has another phone number',
    { ...ada, Phone: '+49 171 5' },
    { ...ada, Phone: '+49 171 6' },
    { ...byNumber, identity: ['Phone'] },
    false,
  ],
  [
    'has a number with a dash that is not a phone number',
    { ...ada, Code: '1-2' },
    { ...ada, Code: '12' },
    { ...byNumber, identity: ['Code'] },
    false,
  ],
])('a person who %s', (_, known, fresh, comparison, isSame) => {
  expect(isSamePerson(known, fresh, comparison)).toBe(isSame)
})

test('without an occasion in either record, the occasion is the same', () => {
  const { Term, ...noTerm } = ada
  expect(isSamePerson(noTerm, noTerm, byNumber)).toBe(true)
  expect(isSamePerson(noTerm, { ...noTerm, Term: '' }, byNumber)).toBe(true)
})

test('of two occurrence fields, both must agree', () => {
  const comparison = { ...byNumber, occurrence: ['Term', 'Room'] }
  expect(isSamePerson({ ...ada, Room: 'A' }, { ...ada, Room: 'B' }, comparison)).toBe(false)
  expect(isSamePerson({ ...ada, Room: 'A' }, { ...ada, Room: 'A' }, comparison)).toBe(true)
})
