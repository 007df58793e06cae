// Which name was probably meant, and how a name that no field has is described.

import { describe, expect, test } from 'vitest'
import { existingFields, fieldsNamed } from '#src/domain/recipient/find-field.ts'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import { aField } from './fields.ts'

const long = 'a'.repeat(100)

test.each<[string, string[], string | null]>([
  ['Emial', ['Name', 'Email'], 'Email'],
  ['Emali', ['Name', 'Email', 'Emall'], 'Emall'],
  ['Emaix', ['Emaiy', 'Emaiz'], 'Emaiy'],
  ['abcde', ['abxyz'], null],
  ['e mail', ['E_Mail', 'Email address'], 'E_Mail'],
  // One name contains the other.
  ['mail', ['Contact Mail'], 'Contact Mail'],
  ['mail', ['Contact Mail', 'Mail'], 'Mail'],
  ['Contact Mail', ['mail'], 'mail'],
  ['abc', ['abcdefghi'], 'abcdefghi'],
  ['abc', ['abcdefghij'], null],
  ['ab', ['abcdef'], null],
  ['Emailadres', ['Emailadrexx', 'Email'], 'Email'],
  ['', ['a'], null],
  ['_', ['  '], null],
  ['a', ['', 'b'], null],
  [long, [`${long.slice(1)}b`], `${long.slice(1)}b`],
  [`${long}a`, [long], null],
  [long, [`${long}a`], null],
])('for %j among %j: %j', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest)
})

describe('a field', () => {
  test('has no name that consists of spaces', () => {
    expect(fieldsNamed(' _', [aField(' '), aField('_')])).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['Emial', ['Email', 'Name'], ' Did you mean the field “Email”? It has: Email, Name.'],
    ['Shoe', ['Email', 'Name'], ' It has: Email, Name.'],
    ['Shoe', [], ' Its field list is empty.'],
  ])('%s that is not among %j', (name, existing, words) => {
    expect(
      existingFields(
        name,
        existing.map((each) => aField(each)),
      ),
    ).toBe(words)
  })
})
