// By which keys the report is searched for the people of a first list.

import { expect, test } from 'vitest'
import { personKeys } from '#src/issuing/reconcile/first-list-keys.ts'
import type { Echo } from '#src/ledger/probes.ts'

const ada = {
  Email: 'ada@example.org',
  'Contact Number': '171000111',
  'Contact Dial Code': '+49',
  'Register Number': 'R-7',
  Membership: 'M-9',
}
const echo = (field: string, key: string, more: Partial<Echo> = {}): Echo => ({
  field,
  key,
  match: 'exact',
  searchable: true,
  ...more,
})
const searchFor = (...args: Parameters<typeof personKeys>) =>
  personKeys(...args).map(({ key, valuesOf }) => [key, valuesOf(ada)])

const byRole = [
  ['email_', ['ada@example.org']],
  ['contact_number', ['171000111', '+49171000111']],
]

test('without further knowledge, people are searched for by address, and by number with and without its dial code', () => {
  expect(searchFor(null, [])).toEqual(byRole)
  expect(personKeys(null, []).map(({ valuesOf }) => valuesOf({ Name: 'Ada' }))).toEqual([[], []])
})

test('what a probe found comes first, then the correlation of the pipeline', () => {
  const correlation = { kind: 'uid', field: 'Membership' } as const
  expect(searchFor(correlation, [echo('Register Number', 'reg_no')])).toEqual([
    ['reg_no', ['R-7']],
    ['uid', ['M-9']],
    ...byRole,
  ])
})

test('a key that a probe found changed, unknown, or not searchable is left out', () => {
  const echoes = [
    echo('Register Number', 'reg_no', { match: 'folded' as Echo['match'] }),
    echo('Membership', 'a key of tomorrow'),
    echo('Contact Number', 'contact_number', { searchable: false }),
  ]
  expect(searchFor(null, echoes)).toEqual([['email_', ['ada@example.org']]])
})

test('each key is used once, with the field that the probe found', () => {
  expect(searchFor(null, [echo('Membership', 'email_')])[0]).toEqual(['email_', ['M-9']])
  expect(searchFor(null, [echo('Membership', 'email_')]).map(([key]) => key)).toEqual(['email_', 'contact_number'])
})
