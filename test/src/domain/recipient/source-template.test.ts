// Templates of source files: the pipeline can read their columns unchanged, and never treats their examples as people.

import { describe, expect, test } from 'vitest'
import { checkRow } from '#src/domain/recipient/check-row.ts'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { type SourceTemplate, sourceTemplate } from '#src/domain/recipient/source-template.ts'
import { aField } from './fields.ts'

const templateOf = (
  fields: Field[],
  columns: Record<string, ColumnSpec> = {},
  imageColumn?: string,
): SourceTemplate => {
  const template = sourceTemplate(fields, columns, imageColumn)
  if ('faults' in template) throw new Error(template.faults.join())
  return template
}

/** Returns the rules that the example row breaks when the file is submitted unchanged. */
function brokenBy(fields: Field[], columns: Record<string, ColumnSpec> = {}): string[] {
  const template = templateOf(fields, columns)
  const { plan, faults, unusedColumns } = planColumns(
    template.columns.map((column) => column.title),
    columns,
    fields,
  )
  expect([faults, unusedColumns]).toEqual([[], []])
  const cells = template.columns.map((column) => column.example)
  return checkRow({ row: 2, cells }, plan, compileRules(fields)).violations.map(({ rule }) => rule)
}

describe('the example of a template', () => {
  test.each<[string, Field[]]>([
    [
      'with samples',
      [aField('Email', { name: 'email_', sampleValue: 'ada@example.org' }), aField('Other', { sampleValue: 'x' })],
    ],
    ['without any sample', [aField('Salutation'), aField('Other')]],
    ['of one free text', [aField('Other', { required: true })]],
    ['of a date', [aField('Birth Date', { type: 'date', inputType: 'date-picker' })]],
    ['of choices', [aField('Grade', { inputType: 'drop-down', options: ['A', 'B'] })]],
  ])('%s is refused as an example, whatever the course', (_, fields) => {
    expect(brokenBy(fields)).toEqual(['example'])
  })

  test('is refused as long as one of its values remains', () => {
    const fields = [aField('Email', { name: 'email_' }), aField('Other')]
    const { plan } = planColumns(['Email', 'Other'], {}, fields)
    const check = (...cells: string[]) => checkRow({ row: 2, cells }, plan, compileRules(fields))
    expect(check('bob@example.org', ' [Example] x').violations).toMatchObject([
      { rule: 'example', column: 'Other', row: 2 },
    ])
    expect(check('bob@example.org', 'an [example] inside').violations).toEqual([])
  })

  test('is meant, so that it is refused as an example', () => {
    const template = sourceTemplate([aField('Email')], {}, undefined, { Status: ['Pass', 'Merit'], Paid: ['any'] })
    expect('columns' in template && template.columns).toMatchObject([
      { title: 'Email', example: expect.stringMatching(/^\[example\]/) },
      { title: 'Status', example: 'Pass', notes: ['Only rows with Pass or Merit are issued.'] },
    ])
  })

  test('is not searched for in columns that fill no field', () => {
    const { plan } = planColumns(['Email', 'Remark'], {}, [aField('Email')])
    const row = { row: 2, cells: ['bob@example.org', '[example] x'] }
    expect(checkRow(row, plan, compileRules([aField('Email')])).violations).toEqual([])
  })
})

describe('the columns of a template', () => {
  test('are those of the configuration, each once, and constants are listed', () => {
    const fields = [
      aField('Email'),
      aField('Contact Mail'),
      aField('Batch'),
      aField('Born', { type: 'date', sampleValue: '1990-12-31' }),
    ]
    const columns = {
      Email: 'mail',
      'Contact Mail': 'mail',
      Batch: { value: 'B1' },
      Born: { column: 'dob', date: 'D/M/YYYY' },
    }
    const template = templateOf(fields, columns, 'photo')
    expect(template.columns.map((column) => column.title)).toEqual(['mail', 'dob', 'photo'])
    expect(template.columns[0]?.notes).toEqual(expect.arrayContaining(['Fills “Email”.', 'Fills “Contact Mail”.']))
    expect(template.columns[1]).toMatchObject({ example: '[example] D/M/YYYY', isDate: false })
    expect(template.notes).toEqual(['“Batch” has no column: the configuration fills it with “B1”.'])
    expect(brokenBy(fields, columns)).toEqual(['example'])
  })

  test('distinguish fields with similar names', () => {
    const fields = [aField('First Name'), aField('first_name'), aField('FIRST NAME ')]
    expect(brokenBy(fields.slice(0, 2))).toEqual(['example'])
  })

  test('are not built if the configuration has faults, which are reported', () => {
    expect(sourceTemplate([aField('Email')], { Emial: 'x' })).toEqual({
      faults: [expect.stringContaining('Did you mean the field “Email”?')],
    })
  })

  test('show every rule of the field, without control characters', () => {
    const field = aField('Points', {
      required: true,
      unique: true,
      maxLength: 3,
      type: 'number',
      min: 1,
      max: 10,
      regex: '^\\d+\n$',
      options: ['1', '2'],
    })
    expect(templateOf([field]).columns[0]?.notes).toEqual([
      'Required.',
      'One of: 1, 2.',
      'At most 3 characters.',
      'Limits, as the service gives them: from 1 to 10.',
      'No two people may have the same value.',
      'Must fit the pattern ^\\d+ $',
    ])
  })
})

describe('a column of a template', () => {
  const date = (title: string, more: Partial<Field> = {}) => aField(title, { type: 'date', ...more })
  test.each<[string, Field[], Record<string, ColumnSpec>, Partial<SourceTemplate['columns'][number]>]>([
    ['a date', [date('Born')], {}, { example: '[example] 1990-12-31', isDate: true }],
    ['a date with a sample', [date('Born', { sampleValue: ' 2000-01-02 ' })], {}, { example: '[example] 2000-01-02' }],
    ['a text', [aField('Remark')], {}, { isDate: false, notes: ['May be empty.'] }],
    ['an address', [aField('Mail', { name: 'email' })], {}, { example: '[example] name@example.org' }],
    ['a choice', [aField('Grade', { options: ['A', 'B'] })], {}, { example: '[example] A' }],
    ['a required text', [aField('Remark', { required: true })], {}, { example: '[example] text' }],
    [
      'a date and a text',
      [date('Born'), aField('Remark')],
      { Born: 'Born', Remark: 'Born' },
      { isDate: false, example: '[example] 1990-12-31' },
    ],
    [
      'two fields, one of which has its title',
      [aField('A', { required: true }), aField('B')],
      { A: 'A', B: 'A' },
      { notes: ['Fills “A”.', 'Required.', 'Fills “B”.', 'May be empty.'] },
    ],
    [
      'two fields, the second of which has a sample',
      [aField('A'), aField('B', { sampleValue: 's' })],
      { A: 'A', B: 'A' },
      { example: '[example] s' },
    ],
    ['a field of another title', [aField('A')], { A: 'B' }, { notes: ['Fills “A”.', 'May be empty.'] }],
  ])('for %s', (_, fields, columns, expected) => {
    expect(templateOf(fields, columns).columns[0]).toMatchObject(expected)
  })

  test('without an example stays empty if another has one, and the image has no example', () => {
    expect(templateOf([aField('Remark'), aField('Mail', { name: 'email' })], {}, 'Photo').columns).toMatchObject([
      { title: 'Remark', example: '' },
      { title: 'Mail', example: '[example] name@example.org' },
      { title: 'Photo', example: '', isDate: false, notes: ['The name of the image, such as ada.png.'] },
    ])
    expect(templateOf([aField('Mail', { name: 'email' }), aField('Remark', { required: true })]).columns).toMatchObject(
      [{ title: 'Mail' }, { title: 'Remark', example: '[example] text' }],
    )
    expect(templateOf([aField('Photo')], {}, 'Photo').columns.map(({ title }) => title)).toEqual(['Photo'])
  })
})

test('the example of the primary value is the name of the field for the address, if there is one', () => {
  const primary = aField('Primary Value', { name: 'primary_value' })
  const exampleWith = (fields: Field[]) =>
    templateOf([...fields, primary]).columns.find(({ title }) => title === 'Primary Value')?.example
  expect(exampleWith([aField('Work Email', { name: 'email_' })])).toMatch(/ Work Email$/)
  expect(exampleWith([])).toMatch(/ text$/)
})
