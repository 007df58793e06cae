// Rows that become records, and what is reported about the others.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkRow } from '#src/domain/recipient/check-row.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { checkOne } from './check-one.ts'
import { aField, courseFields } from './fields.ts'

const born = aField('Birth Date', { inputType: 'date-picker' })

describe('a value', () => {
  test.each<[string, Field, string, string | undefined, string[]]>([
    ['required and empty', aField('A', { required: true }), '  ', undefined, ['required']],
    ['optional and empty', aField('A'), '  ', undefined, []],
    ['as long as allowed', aField('A', { maxLength: 3 }), 'abc', 'abc', []],
    ['as long as allowed in characters, not in code units', aField('A', { maxLength: 3 }), '😀😀😀', '😀😀😀', []],
    ['too long by one', aField('A', { maxLength: 3 }), 'abcd', undefined, ['max_length']],
    ['trimmed before it is measured', aField('A', { maxLength: 3 }), '\u00a0 abc ', 'abc', []],
    ['normalized to NFC before it is measured', aField('A', { maxLength: 1 }), 'e\u0301', 'é', []],
    ['with a maximum length of zero, which means no limit', aField('A', { maxLength: 0 }), 'abc', 'abc', []],
    ['matched in part by a pattern', aField('A', { regex: 'b+' }), 'abba', 'abba', []],
    ['not matched in full by an anchored pattern', aField('A', { regex: '^b+$' }), 'abba', undefined, ['pattern']],
    ['matched by a pattern in slashes', aField('A', { regex: '/^\\d{3}$/' }), '123', '123', []],
    ['not matched by a pattern in slashes', aField('A', { regex: '/^\\d{3}$/' }), '1234', undefined, ['pattern']],
    ['matched by a pattern that ignores case', aField('A', { regex: '/^abc$/i' }), 'ABC', 'ABC', []],
    ['with a pattern that cannot be checked', aField('A', { regex: '^(?=x)y' }), 'abc', 'abc', []],
    ['among the options', aField('A', { options: ['Mr.', 'Ms.'] }), 'Ms.', 'Ms.', []],
    ['equal to an option except for its case', aField('A', { options: ['Mr.', 'Ms.'] }), 'MS.', undefined, ['option']],
    ['not among the options', aField('A', { options: ['Mr.', 'Ms.'] }), 'King', undefined, ['option']],
  ])('%s is kept or refused correctly', (_, field, value, kept, broken) => {
    const checked = checkOne(field, value)
    expect(checked.broken).toEqual(broken)
    expect(checked.value).toBe(kept)
  })

  test('is checked against a pattern that would take a backtracking engine years', () => {
    const hostile = aField('A', { regex: '^([a-zA-Z0-9]+)*@x$' })
    expect(checkOne(hostile, 'a'.repeat(200)).broken).toEqual(['pattern'])
  })
})

describe('a number cell of a spreadsheet', () => {
  test.each<[string, string]>([
    ['Contact Number', 'contact_number'],
    ['Dial code', 'dial_code_country_id'],
    ['Register Number', 'reg_no'],
    ['Postal Code', 'x'],
    ['Membership', 'membership_id'],
    ['studentId', 'x'],
    ['Other', 'unique_no'],
    ['Seat Number', 'seat'],
  ])('in “%s” (%s) has lost its zeros, but is accepted as text', (displayName, name) => {
    const field = aField(displayName, { name })
    expect(checkOne(field, '15112345678', 'number').broken).toEqual(['number_lost_zeros'])
    expect(checkOne(field, '015112345678', 'string').value).toBe('015112345678')
  })

  test.each(['Score', 'Number of Hours', 'Identity', 'Grade', 'Covid'])('in “%s” is a number', (displayName) => {
    expect(checkOne(aField(displayName), '42', 'number').value).toBe('42')
  })

  test('in a date field is an invalid date, whatever the field is called', () => {
    expect(checkOne({ ...born, displayName: 'Registration Date' }, '33238', 'number').broken).toEqual(['date'])
  })
})

describe('a row', () => {
  const header = ['Email', 'First Name', 'Contact Number', 'Primary Value']
  const { plan } = planColumns(header, {}, courseFields)
  const rules = compileRules(courseFields)
  const rulesOf = (cells: string[]) =>
    checkRow({ row: 2, cells }, plan, rules).violations.map((violation) => violation.rule)

  test('becomes a record of non-empty values without a prototype', () => {
    const { recipient, violations } = checkRow({ row: 2, cells: ['a@b.org', ' Ann ', '', 'Email'] }, plan, rules)
    expect(violations).toEqual([])
    expect(Object.getPrototypeOf(recipient)).toBeNull()
    expect({ ...recipient }).toEqual({ Email: 'a@b.org', 'First Name': 'Ann', 'Primary Value': 'Email' })
  })

  test('with a field called __proto__ keeps it as a key', () => {
    const field = aField('__proto__')
    const planned = planColumns(['__proto__'], {}, [field]).plan
    const { recipient } = checkRow({ row: 1, cells: ['x'] }, planned, compileRules([field]))
    expect(Object.keys(recipient ?? {})).toEqual(['__proto__'])
  })

  test('reports everything that is wrong with it, in the order of its columns', () => {
    const { recipient, violations } = checkRow({ row: 2, cells: ['nope', '', '12', 'Email'] }, plan, rules)
    expect(recipient).toBeNull()
    expect(violations.map(({ row, column, rule }) => [row, column, rule])).toEqual([
      [2, 'Email', 'email'],
      [2, 'First Name', 'required'],
      [2, 'Contact Number', 'pattern'],
    ])
  })

  test('that is shorter than its header has empty cells', () => {
    expect(rulesOf(['a@b.org'])).toEqual(['required', 'required'])
  })

  test.each<[string, string, string[]]>([
    ['Email', '', []],
    ['Contact Number', '491511234', []],
    ['Contact Number', '', ['primary_value']],
    ['email', '', ['primary_value']],
    ['a@b.org', '', ['primary_value']],
  ])('whose primary value is %j, with the number %j, breaks %j', (primary, number, broken) => {
    expect(rulesOf(['a@b.org', 'Ann', number, primary])).toEqual(broken)
  })

  test('never throws, and its violations never show a value longer than three characters', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.emailAddress(),
      fc.constantFrom('31.12.1990', '#N/A'),
    )
    const kind = fc.constantFrom('string', 'number', 'date', 'error', 'boolean', 'whatever')
    const all = courseFields.map((field) => field.displayName)
    const whole = planColumns(all, { 'Birth Date': { column: 'Birth Date', date: 'DD.MM.YYYY' } }, courseFields).plan
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 9 }), fc.array(kind, { maxLength: 9 }), (cells, kinds) => {
        const { recipient, violations } = checkRow({ row: 1, cells, kinds }, whole, rules)
        expect(recipient === null).toBe(violations.length > 0)
        for (const { value, field } of violations) {
          const cellText = (cells[all.indexOf(field)] ?? '').normalize('NFC').trim()
          if ([...cellText].length > 3) expect(value).not.toContain(cellText)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('sentences', () => {
  test('name the column, mask the value and say what to do', () => {
    const field = aField('Email', { regex: '@example\\.org$', sampleValue: 'ann@example.org' })
    const [violation] = checkOne(field, 'jane.doe@elsewhere.com').violations
    expect(violation?.sentence).toBe(
      '“Email” holds j…@e….com, which does not have the form that the course requires for “Email”. Write it like ann@example.org.',
    )
  })

  test('list the options, or suggest the closest one', () => {
    const field = aField('Salutation', { options: ['Mr.', 'Ms.'] })
    expect(checkOne(field, 'Queen').violations[0]?.sentence).toContain('Write one of: “Mr.”, “Ms.”.')
    expect(checkOne(field, 'ms').violations[0]?.sentence).toContain('Did you mean “Ms.”?')
  })
})
