// Templates of source files: the pipeline can read their columns unchanged.

import { describe, expect, test } from 'vitest'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { type SourceTemplate, sourceTemplate } from '#src/domain/recipient/source-template.ts'
import type { Where } from '#src/domain/recipient/who-is-meant.ts'
import { aField } from './fields.ts'

/** Makes a template, and checks that every field of it can be read. */
function templateOf(
  fields: Field[],
  columns: Record<string, ColumnSpec> = {},
  imageColumn?: string,
  where?: Where,
): SourceTemplate {
  const template = sourceTemplate(fields, columns, imageColumn, where)
  if ('faults' in template) throw new Error(template.faults.join())
  const titles = template.columns.map(({ title }) => title)
  expect(planColumns(titles, columns, fields).faults).toEqual([])
  return template
}

const titlesOf = (...template: Parameters<typeof templateOf>) =>
  templateOf(...template).columns.map(({ title }) => title)

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
    expect(template.notes).toEqual(['“Batch” has no column: the configuration fills it with “B1”.'])
  })

  test('distinguish fields with similar names', () => {
    expect(titlesOf([aField('First Name'), aField('first_name')])).toEqual(['First Name', 'first_name'])
  })

  test('include that of the images, and those that say who is meant', () => {
    const where = { Status: ['Pass', 'Merit'], Paid: ['any'], Email: ['x'] }
    expect(templateOf([aField('Email')], {}, 'Photo', where).columns).toMatchObject([
      { title: 'Email' },
      { title: 'Photo', notes: ['The name of the image, such as ada.png.'], isDate: false },
      { title: 'Status', notes: ['Only rows with Pass or Merit are issued.'] },
    ])
    expect(titlesOf([aField('Photo')], {}, 'Photo')).toEqual(['Photo'])
  })

  test('are not built if the configuration has faults, which are reported', () => {
    expect(sourceTemplate([aField('Email')], { Emial: 'x' })).toEqual({
      faults: [expect.stringContaining('Did you mean the field “Email”?')],
    })
  })
})

describe('a column of a template', () => {
  const date = (title: string) => aField(title, { type: 'date' })
  test.each<[string, Field[], Record<string, ColumnSpec>, Partial<SourceTemplate['columns'][number]>]>([
    ['a date', [date('Born')], {}, { isDate: true }],
    ['a date in a declared format', [date('Born')], { Born: { column: 'Born', date: 'D/M/YYYY' } }, { isDate: false }],
    ['a text', [aField('Remark')], {}, { isDate: false, notes: ['May be empty.'] }],
    ['a date and a text', [date('Born'), aField('Remark')], { Born: 'Born', Remark: 'Born' }, { isDate: false }],
    [
      'two fields, one of which has its title',
      [aField('A', { required: true }), aField('B')],
      { A: 'A', B: 'A' },
      { notes: ['Fills “A”.', 'Required.', 'Fills “B”.', 'May be empty.'] },
    ],
    ['a field of another title', [aField('A')], { A: 'B' }, { notes: ['Fills “A”.', 'May be empty.'] }],
  ])('for %s', (_, fields, columns, expected) => {
    expect(templateOf(fields, columns).columns[0]).toMatchObject(expected)
  })
})
