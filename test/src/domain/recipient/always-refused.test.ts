// Values that are refused whatever the field list says, limits of numbers, and rules that cannot be checked.

import { describe, expect, test } from 'vitest'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

describe('an e-mail field', () => {
  test.each<[string, string[]]>([
    ['ada@example.org', []],
    ['ä@ö', []],
    ['"ada king@home"@example.org', []],
    ['ada.example.org', ['email']],
    ['@example.org', ['email']],
    ['ada@', ['email']],
    ['ada king@example.org', ['email']],
    ['ada@example.org, bob@example.org', ['email']],
    ['ada@bob@example.org', ['email']],
  ])('that holds %j breaks %j', (value, broken) => {
    expect(checkOne(aField('Email', { name: 'email_' }), value).broken).toEqual(broken)
  })

  test('reports what an address lacks, and not also that it does not match the pattern', () => {
    const checked = checkOne(aField('Email', { regex: '^.+@.+$', sampleValue: 'ann@example.org' }), 'nobody')
    expect(checked.broken).toEqual(['email'])
    expect(checked.violations[0]?.sentence).toBe(
      '“Email” holds n… (6 characters), which is not an e-mail address, because it has no @. Write one address, such as name@example.org.',
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

  test('that JSON cannot represent is refused', () => {
    expect(checkOne(aField('A'), 'a\ud83d').broken).toEqual(['text'])
  })
})

describe('a field of numbers', () => {
  const score = (min: Field['min'], max: Field['max']) => aField('Score', { type: 'number', min, max })
  test.each<[Field['min'], Field['max'], string, string[]]>([
    [0, 100, '0', []],
    [0, 100, '100', []],
    [0, 100, '-1', ['min_number']],
    [0, 100, '100.5', ['max_number']],
    ['0', '100', '101', ['max_number']],
    [null, 100, '-5', []],
    [null, null, '1e9', []],
    [0, 100, '1,5', []],
    [0, 100, 'A+', []],
  ])('from %j to %j: %j breaks %j', (min, max, value, broken) => {
    expect(checkOne(score(min, max), value).broken).toEqual(broken)
  })

  test('states the limit in its remedy', () => {
    expect(checkOne(score(0, 100), '1000').violations[0]?.sentence).toBe(
      '“Score” holds 1… (4 characters), which is more than the course allows. Enter 100 or less.',
    )
  })

  test('is not recognized by its limits alone, because the limits of a text field are not interpreted', () => {
    expect(checkOne(aField('Score', { min: 0, max: 10 }), '11').broken).toEqual([])
  })
})

describe('a rule that cannot be checked', () => {
  test('is a drop-down without listed options: any value passes', () => {
    const salutation = aField('Salutation', { inputType: 'drop-down', sampleValue: 'Ms.' })
    expect(checkOne(salutation, 'Queen').value).toBe('Queen')
    expect(compileRules([salutation]).unlistedChoices).toEqual(['Salutation'])
  })

  test('is not a drop-down with options, nor a primary value, whose options are the fields', () => {
    const listed = aField('Salutation', { inputType: 'drop-down', options: ['Ms.'] })
    const primary = aField('Primary Value', { name: 'primary_value', inputType: 'drop-down' })
    expect(compileRules([listed, primary]).unlistedChoices).toEqual([])
  })

  test('is a date limit without a meaning, which is reported', () => {
    const born = aField('Birth Date', { inputType: 'date-picker', min: 18, max: null })
    expect(compileRules([born]).warnings[0]?.sentence).toMatch(/“Birth Date” is not checked by credsync/)
    expect(compileRules([{ ...born, min: '1990-01-01' }, aField('Other', { min: 3 })]).warnings).toEqual([])
  })
})

describe('a sample', () => {
  const advice = (sampleValue: string) =>
    checkOne(aField('A', { regex: '^[A-Z]{2}$', sampleValue }), 'xyz1').violations[0]?.sentence
  test('is given as advice', () => {
    expect(advice('AB')).toContain('Write it like AB.')
  })
  test.each(['abc', 'A'.repeat(100), 'A\nB', ''])(
    'such as %j, which is invalid itself, is not given as advice',
    (sample) => {
      expect(advice(sample)).toContain('Correct the value.')
    },
  )
})
