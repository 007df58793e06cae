// By which keys people are searched for in the report, and which items are theirs.

import { describe, expect, test } from 'vitest'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { itemsOfEachPerson, personKeys, showsValue } from '#src/issuing/reconcile/first-list-keys.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

const echo = { field: 'Register Number', key: 'reg_no', match: 'exact' as const, searchable: true }
const namesOf = (...parameters: Parameters<typeof personKeys>) => personKeys(...parameters).map(({ key }) => key)
const item = (more: Partial<ReportItem>) => aReportItem(aRecipient(1), { email_: null, ...more }) as ReportItem

describe('the keys', () => {
  test('are the address and the number, if nothing else is known', () => {
    expect(namesOf(null, [])).toEqual(['email_', 'contact_number'])
  })

  test('begin with what a probe found, then the correlation', () => {
    expect(namesOf({ field: 'Seat', kind: 'uid' }, [echo])).toEqual(['reg_no', 'uid', 'email_', 'contact_number'])
  })

  test('contain each key once, with the field of the more reliable source', () => {
    const keys = personKeys({ field: 'Seat', kind: 'reg_no' }, [echo])
    expect(keys.map(({ key }) => key)).toEqual(['reg_no', 'email_', 'contact_number'])
    expect(keys[0]?.valuesOf({ 'Register Number': 'R-7', Seat: '3' })).toEqual(['R-7'])
  })

  test.each([
    ['not exactly echoed', { ...echo, match: 'folded' as const }],
    ['not searchable', { ...echo, searchable: false }],
    ['not known to be searchable', { ...echo, searchable: null }],
    ['unknown', { ...echo, key: 'seat_no' }],
  ])('do not contain one that is %s', (_, found) => {
    expect(namesOf(null, [found])).toEqual(['email_', 'contact_number'])
  })

  test('lack the address if a probe found that it cannot be searched for', () => {
    expect(namesOf(null, [{ ...echo, field: 'Email', key: 'email_', searchable: false }])).toEqual(['contact_number'])
  })

  test('do not contain a correlation by a key that the report has no search for', () => {
    expect(namesOf({ field: 'Seat', kind: 'email' }, [])).toEqual(['email_', 'contact_number'])
  })
})

describe('the values of a person', () => {
  const valuesOf = (key: string, recipient: Record<string, string>) =>
    personKeys(null, [echo])
      .find((each) => each.key === key)
      ?.valuesOf(recipient)

  test.each<[string, Record<string, string>, string[]]>([
    ['email_', { Email: 'ada@x.org' }, ['ada@x.org']],
    ['email_', { Name: 'Ada' }, []],
    ['reg_no', { 'Register Number': '' }, []],
    ['contact_number', { 'Contact Number': '171 5' }, ['171 5']],
    ['contact_number', { 'Contact Number': '171 5', 'Dial code': '+49' }, ['171 5', '+49171 5']],
    ['contact_number', { 'Dial code': '+49' }, []],
  ])('under %s, of %j, are %j', (key, recipient, values) => {
    expect(valuesOf(key, recipient)).toEqual(values)
  })
})

describe('an item', () => {
  test.each<[string, Partial<ReportItem>, 'email_' | 'contact_number' | 'reg_no', string[], boolean]>([
    ['the address in capitals', { email_: 'ADA@x.org' }, 'email_', ['ada@x.org'], true],
    ['one of two numbers', { contact_number: '+49 171-5' }, 'contact_number', ['5', '49171 5'], true],
    ['another address', { email_: 'eve@x.org' }, 'email_', ['ada@x.org'], false],
    ['no address', { email_: null }, 'email_', ['ada@x.org'], false],
    ['no digits', { contact_number: '-' }, 'contact_number', ['n/a'], false],
    ['a number that differs in a dash', { reg_no: 'R-7' }, 'reg_no', ['R7'], false],
  ])('with %s is compared as everywhere', (_, more, key, values, shows) => {
    expect(showsValue(item(more), key, values)).toBe(shows)
  })
})

describe('the items of each person', () => {
  const ada = aRecipient(1, { Email: 'ada@x.org', 'Contact Number': '171 5' })
  const eve = aRecipient(2, { Email: 'eve@x.org' })
  const keys = personKeys(null, [])

  test('are those that show one of the values, each once', () => {
    const both = item({ email_: 'ada@x.org', contact_number: '1715' })
    const byNumber = item({ contact_number: '0171 5' })
    const ofEve = item({ email_: 'EVE@x.org' })
    expect(itemsOfEachPerson([both, ofEve, byNumber], keys, [ada, eve])).toEqual([[both, byNumber], [ofEve]])
  })

  test('are left out for people who have none', () => {
    const ofEve = item({ email_: 'eve@x.org' })
    expect(itemsOfEachPerson([ofEve, item({})], keys, [ada, eve])).toEqual([[ofEve]])
  })

  test('never include an item because both have an empty value', () => {
    expect(
      itemsOfEachPerson([item({ email_: '', contact_number: '-' })], keys, [
        aRecipient(1, { Email: '', 'Contact Number': '-' }),
      ]),
    ).toEqual([])
  })
})
