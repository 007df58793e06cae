// Values that are refused whatever the field list says: e-mail addresses that are none, and characters of control.

import { describe, expect, test } from 'vitest'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

describe('an e-mail field', () => {
  test.each<[string, string[]]>([
    ['@example.org', ['email']],
    ['ada@', ['email']],
    ['ada king@example.org', ['email']],
    ['ada@bob@example.org', ['email']],
  ])('that holds %j breaks %j', (value, broken) => {
    expect(checkOne(aField('Email', { name: 'email_' }), value).broken).toEqual(broken)
  })

  test('reports what an address lacks, and not also that it does not match the pattern', () => {
    const checked = checkOne(aField('Email', { regex: '^.+@.+$', sampleValue: 'ann@example.org' }), 'nobody')
    expect(checked.broken).toEqual(['email'])
    expect(checked.violations[0]?.sentence).toBe(
      '“Email” holds n… (6 characters), which is not one e-mail address written in the usual way. Write one address, such as name@example.org.',
    )
  })

  test('is recognized by its name; other fields may contain anything', () => {
    expect(checkOne(aField('Contact Email'), 'none').broken).toEqual([])
  })
})

describe('a value', () => {
  test.each<[string, string, RegExp]>([
    ['a line break', 'Ada\nLovelace', /has several lines\. Write the value on one line/],
    ['a tab', 'Ada\tLovelace', /contains a tab/],
    ['a quote of another encoding', 'O\u0092Neill', /an invisible control character.*declare the encoding/],
    ['an escape', 'Ada\u001b[31m', /an invisible control character/],
  ])('with %s inside is refused, with a remedy', (_, value, words) => {
    const checked = checkOne(aField('First Name'), value)
    expect(checked.broken).toEqual(['control_character'])
    expect(checked.violations[0]?.sentence).toMatch(words)
    expect(checked.violations[0]?.sentence).not.toMatch(/\p{Cc}/u)
  })
})
