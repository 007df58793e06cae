// What a person is advised to do about a value that breaks a rule of its field.

import { describe, expect, test } from 'vitest'
import { checkRow } from '#src/domain/recipient/check-row.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { checkOne } from './check-one.ts'
import { aField, courseFields } from './fields.ts'

const sentenceOf = (...parameters: Parameters<typeof checkOne>) => checkOne(...parameters).violations[0]?.sentence

describe('a value that does not match the pattern', () => {
  const sentence = (sampleValue: string, regex = '^[a-z]+-?$') =>
    sentenceOf(aField('Code', { regex, sampleValue }), '123')

  test('is advised by the sample of the course', () => {
    expect(sentence(' abc ')).toContain('Write it like abc.')
    expect(sentence(`${'a'.repeat(80)}`)).toContain('Write it like a')
  })

  test.each([
    ['empty', '', '^[a-z]*$'],
    ['longer than a line', 'a'.repeat(81), undefined],
    ['not matching itself', 'ABC', undefined],
    ['with a control character', 'a\u0007b', '^[a-z\\x07]+$'],
  ])('is not advised by a sample that is %s', (_, sample, regex) => {
    expect(sentence(sample, regex)).toContain('Correct the value.')
  })
})

describe('a value that is no option', () => {
  const options = (count: number) => Array.from({ length: count }, (_, at) => `Option ${'ABCDEFGHIJKL'[at]}`)
  const sentence = (count: number) => sentenceOf(aField('Choice', { options: options(count) }), 'Something else')

  test('is advised by up to ten options, and the number of the others', () => {
    expect(sentence(2)).toContain('Write one of: “Option A”, “Option B”.')
    expect(sentence(10)).toMatch(/“Option J”\.$/)
    expect(sentence(12)).toContain('“Option J” and 2 more.')
  })

  test('is advised by the nearest option', () => {
    expect(sentenceOf(aField('Choice', { options: options(2) }), 'option a')).toContain('Did you mean “Option A”?')
  })
})

describe('a damaged value', () => {
  const name = aField('Name')

  test.each(['"Bo","Jo"', '"Bo"x "Jo"', '"Ada""'])('%s has marks that are not doubled', (value) => {
    expect(checkOne(name, value).broken).toEqual(['quotation_mark'])
  })

  test.each(['" Ada "', '"Bo"x Jensen', 'O’Hara "x" y', "O'-Neill", "D'=1", '1.23E+11x'])(
    'is not suspected in %s',
    (value) => {
      expect(checkOne(aField('Register Number'), value).value).toBe(value)
    },
  )

  test('in quotation marks is plain text in a workbook', () => {
    expect(checkOne(name, '"Ada "the" K"', 'text').value).toBe('"Ada "the" K"')
  })

  test('may be a quoted part of an address', () => {
    expect(checkOne(aField('Email', { name: 'email_' }), '"a\\"b"@x.org').broken).not.toContain('quotation_mark')
  })

  test('is an error cell of a workbook, whatever it shows', () => {
    expect(checkOne(name, 'oops', 'error').broken).toEqual(['error_cell'])
  })

  test('is recognized by the title of its column too', () => {
    const spec = { column: 'Register Number' }
    const { plan } = planColumns(['Register Number'], { Other: spec }, [aField('Other')])
    const broken = (value: string, kind?: string) =>
      checkRow(
        { row: 1, cells: [value], ...(kind && { kinds: [kind] }) },
        plan,
        compileRules([aField('Other')]),
      ).violations.map(({ rule }) => rule)
    expect(broken('1.23E+11')).toEqual(['number_shortened'])
    expect(broken('17', 'number')).toEqual(['number_lost_zeros'])
  })
})

test.each(['=B2', '="x"', '"Ada "the" K"'])(
  'the constant %s of the configuration is meant as it is written',
  (value) => {
    expect(checkOne(aField('Other'), '', undefined, { value }).value).toBe(value)
  },
)

describe('the primary value', () => {
  const check = (row: Record<string, string>) => {
    const { plan } = planColumns(Object.keys(row), {}, courseFields)
    return checkRow({ row: 3, cells: Object.values(row) }, plan, compileRules(courseFields)).violations
  }
  const ada = { Email: 'ada@x.org', 'First Name': 'Ada', 'Primary Value': 'Email' }

  test('names a field of the course that is filled', () => {
    expect(check(ada)).toEqual([])
    expect(check({ ...ada, 'Contact Number': '', 'Primary Value': 'Contact Number' })).toMatchObject([
      { rule: 'primary_value', sentence: expect.stringContaining('Fill in “Contact Number”') },
    ])
  })

  test.each([
    ['emial', 'Did you mean “Email”?'],
    ['Something else', 'Write one of: Email, First Name, Last Name, Contact Number'],
  ])('%s is no field: %s', (value, advice) => {
    expect(check({ ...ada, 'Primary Value': value })).toMatchObject([
      { rule: 'primary_value', sentence: expect.stringContaining(advice) },
    ])
  })

  test('leaves the valid values of an invalid row, and no invalid one', () => {
    const { plan } = planColumns(Object.keys(ada), {}, courseFields)
    const row = { row: 3, cells: ['ada@x.org', 'A'.repeat(21), 'Email'] }
    expect(checkRow(row, plan, compileRules(courseFields)).values).toEqual({
      Email: 'ada@x.org',
      'Primary Value': 'Email',
    })
  })

  test('is not reported beside the fault of the field that it names, but beside another', () => {
    expect(check({ ...ada, Email: '' }).map(({ rule }) => rule)).toEqual(['required'])
    expect(check({ ...ada, 'First Name': '', 'Primary Value': 'Phone' }).map(({ rule }) => rule)).toEqual([
      'required',
      'primary_value',
    ])
  })
})
