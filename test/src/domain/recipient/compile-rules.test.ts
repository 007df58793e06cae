// Rules that are compiled from a field list, and patterns that are not checked.

import { describe, expect, test } from 'vitest'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { compilePattern } from '#src/domain/recipient/field-pattern.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

describe('rules', () => {
  test('contain one warning for each field whose pattern credsync does not check', () => {
    const rules = compileRules([
      aField('Ahead', { regex: '^(?=.*[a-z]).+$' }),
      aField('Back', { regex: '(a)\\1' }),
      aField('Long', { regex: 'a'.repeat(1_001) }),
      aField('Broken', { regex: '([' }),
      aField('Good', { regex: '^[a-z]+$' }),
      aField('None'),
    ])
    expect(rules.warnings.map((warning) => warning.field)).toEqual(['Ahead', 'Back', 'Long', 'Broken'])
    expect(rules.warnings[0]?.sentence).toMatch(/“Ahead” is not checked by credsync.*The service checks the pattern/)
    expect([...rules.byField.values()].filter((rule) => rule.pattern).map((rule) => rule.field.displayName)).toEqual([
      'Good',
    ])
  })
})

describe('the limits of a date', () => {
  const ruleOf = (min: Field['min'], max: Field['max'], options: string[] = []) => {
    const { byField, warnings } = compileRules([
      aField('Day', { type: 'date', inputType: 'date-picker', min, max, options }),
    ])
    const { minDate, maxDate, options: known } = byField.get('Day') ?? {}
    return { limits: [minDate, maxDate], warned: warnings.length > 0, options: known && [...known] }
  }

  test.each<[Field['min'], string | null, boolean]>([
    [' 2010-12-31 ', '2010-12-31', false],
    [1_000_000_000_000, '2001-09-09', false],
    [-1_000_000_000_000, '1938-04-24', false],
    [100_000_000_001, '1973-03-03', false],
    [100_000_000_000, null, true],
    [2010, null, true],
    [8.64e15, null, true],
    [9e15, null, true],
    ['soon', null, true],
    ['  ', null, false],
    [null, null, false],
  ])('%j is read as %j', (limit, day, warned) => {
    expect(ruleOf(limit, null)).toMatchObject({ limits: [day, null], warned })
    expect(ruleOf(null, limit)).toMatchObject({ limits: [null, day], warned })
  })

  test('are kept if only one of them is understood, with a warning', () => {
    expect(ruleOf('2010-12-31', 2010)).toMatchObject({ limits: ['2010-12-31', null], warned: true })
  })

  test('an empty option is none', () => {
    expect(ruleOf(null, null, [' ', ' A '])).toMatchObject({ options: ['A'] })
    expect(ruleOf(null, null, [' '])).toMatchObject({ options: null })
  })
})

describe('a pattern', () => {
  const matches = (regex: string, value: string) => {
    const pattern = compilePattern(regex)
    return pattern && 'test' in pattern ? pattern.test(value) : 'not checked'
  }

  test.each([
    ['^\\d{10}$', '0123456789'],
    ['^\\d{10}$', '012345678'],
    ['[A-Z]', 'abC'],
    ['/^[a-z]+$/i', 'ABC'],
    ['/^b/m', 'a\nb'],
    ['^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', 'a.b+c@d-e.org'],
    ['^[^<>]*$', 'a<b'],
    ['\\u00e9', 'é'],
    ['[\\-\\.\\/]', 'a/b'],
    ['^(?:a|b){2,3}$', 'abab'],
    ['(?<year>\\d{4})', 'in 1999'],
  ])('%j accepts or rejects %j as JavaScript does', (regex, value) => {
    const [, source = regex, flags = ''] = /^\/(.+)\/([a-z]*)$/.exec(regex) ?? []
    expect(matches(regex, value)).toBe(new RegExp(source, flags).test(value))
  })

  test.each(['/a/y', '/a/gx', '(?!a)b', '(?<=a)b', '*'])('%j is not checked', (regex) => {
    expect(matches(regex, 'a')).toBe('not checked')
  })

  test('that is empty counts as no pattern', () => {
    expect(compilePattern('  ')).toBeNull()
  })

  test('that is nested as deep as its length allows is compiled', () => {
    const nested = `${'('.repeat(499)}a${')'.repeat(499)}`
    expect(matches(nested, 'a')).toBe(true)
    expect(matches(nested, 'b')).toBe(false)
    expect(compilePattern(`(${nested})`)).toMatchObject({ refused: expect.stringContaining('1000 characters') })
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
