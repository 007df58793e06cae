import { describe, expect, test } from 'vitest'
import { compileRules } from '#src/recipients/compile-rules.ts'
import { compilePattern } from '#src/recipients/field-pattern.ts'
import { aField } from './fields.ts'

describe('rules', () => {
  test('warn once for each field whose pattern is not checked here', () => {
    const rules = compileRules([
      aField('Ahead', { regex: '^(?=.*[a-z]).+$' }),
      aField('Back', { regex: '(a)\\1' }),
      aField('Long', { regex: 'a'.repeat(1_001) }),
      aField('Broken', { regex: '([' }),
      aField('Good', { regex: '^[a-z]+$' }),
      aField('None'),
    ])
    expect(rules.warnings.map((each) => each.field)).toEqual(['Ahead', 'Back', 'Long', 'Broken'])
    expect(rules.warnings[0]?.sentence).toMatch(/“Ahead” is not checked here.*The service checks it/)
    expect([...rules.byField.values()].filter((rule) => rule.pattern).map((rule) => rule.field.displayName)).toEqual([
      'Good',
    ])
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
  ])('%j judges %j as JavaScript does', (regex, value) => {
    const [, source = regex, flags = ''] = /^\/(.+)\/([a-z]*)$/.exec(regex) ?? []
    expect(matches(regex, value)).toBe(new RegExp(source, flags).test(value))
  })

  test.each(['/a/y', '/a/gx', '(?!a)b', '(?<=a)b', '*'])('%j is not checked', (regex) => {
    expect(matches(regex, 'a')).toBe('not checked')
  })

  test('that is empty is none', () => {
    expect(compilePattern('  ')).toBeNull()
  })

  test('nested a thousand deep is refused or compiled, and throws nothing', () => {
    expect(() => compilePattern(`${'('.repeat(500)}${')'.repeat(500)}`)).not.toThrow()
  })
})
