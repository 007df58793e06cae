// Which fields of a person in the report differ from what was sent.

import { expect, test } from 'vitest'
import { differingFields } from '#src/issuing/reconcile/compare-person.ts'

const sent = { 'First Name': 'Ada', 'Last Name': 'King', Email: 'ada@x.org', 'Contact Number': '0171 23456' }
const same = { firstName: 'Ada', lastName: 'King', email: 'ada@x.org', contactNumber: '0171 23456' }

test.each<[string, Partial<Record<keyof typeof same, string | null>>, string[]]>([
  ['the same person', {}, []],
  ['other capitals and spaces', { firstName: ' ADA', lastName: 'King ', email: 'Ada@X.org' }, []],
  ['no values at all', { firstName: null, lastName: null, email: null, contactNumber: null }, []],
  ['empty values', { firstName: '', contactNumber: '' }, []],
  ['another first name', { firstName: 'Eve' }, ['First Name']],
  ['another last name', { lastName: 'Lovelace' }, ['Last Name']],
  ['another address', { email: 'eve@x.org' }, ['Email']],
  ['another number', { contactNumber: '0171 23457' }, ['Contact Number']],
  ['the number with its dial code', { contactNumber: '+49 171 23456' }, []],
  ['only the last five digits of the number', { contactNumber: '23456' }, []],
  ['only the last four digits of the number', { contactNumber: '3456' }, ['Contact Number']],
  ['the number with a digit behind it', { contactNumber: '171 234561' }, ['Contact Number']],
  ['somebody else', { firstName: 'Eve', lastName: 'Bell', email: 'e@x.org', contactNumber: '5' }, Object.keys(sent)],
])('an item that shows %s differs in the right fields', (_, shown, differing) => {
  expect(differingFields(sent, { ...same, ...shown })).toEqual(differing)
})

test('a field that was not sent, or was sent empty, is not compared', () => {
  expect(differingFields({ 'First Name': 'Ada' }, same)).toEqual([])
  expect(differingFields({ ...sent, 'Last Name': '', 'Contact Number': '' }, { ...same, lastName: 'Bell' })).toEqual([])
})

test('a number of four digits is compared as a whole', () => {
  expect(differingFields({ 'Contact Number': '3456' }, { ...same, contactNumber: '3456' })).toEqual([])
  expect(differingFields({ 'Contact Number': '3456' }, { ...same, contactNumber: '23456' })).toEqual(['Contact Number'])
})
