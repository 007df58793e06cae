// What a template says about a field.

import { expect, test } from 'vitest'
import type { Field } from '#src/domain/recipient/field.ts'
import { notesOnField } from '#src/domain/recipient/source-template.ts'
import { aField } from './fields.ts'

const many = (count: number) => Array.from({ length: count }, (_, at) => `o${at}`)
const drop = 'Text, not a number: a spreadsheet drops leading zeros and plus signs.'

test.each<[string, Field, string | null, string[]]>([
  ['nothing', aField('Remark'), null, []],
  [
    'a date',
    aField('Birth', { type: 'date' }),
    null,
    ['A date, written as YYYY-MM-DD, or a real date of a spreadsheet.'],
  ],
  ['a date in a declared format', aField('Birth'), 'DD.MM.YYYY', ['A date, written as DD.MM.YYYY.']],
  [
    'the field that identifies',
    aField('Primary Value', { options: ['Email'] }),
    null,
    ['Names the field that identifies the person, exactly as the course calls it, such as Email.'],
  ],
  ['digits that are no number, by the internal name', aField('Reference', { name: 'phone' }), null, [drop]],
  ['digits that are no number, by the title', aField('Phone', { name: 'x1' }), null, [drop]],
  [
    'a date whose name is like that of digits',
    aField('ID', { name: 'x1' }),
    'D.M.YYYY',
    ['A date, written as D.M.YYYY.'],
  ],
  ['no length', aField('Remark', { maxLength: 0 }), null, []],
  ['a first limit', aField('Points', { min: 1, max: ' ' }), null, ['Limits, as the service gives them: from 1.']],
  ['a last limit', aField('Points', { min: '', max: '9' }), null, ['Limits, as the service gives them: to 9.']],
  ['a pattern', aField('Remark', { regex: ' ^a\r\nb$ ' }), null, ['Must fit the pattern ^a b$']],
  ['an empty pattern', aField('Remark', { regex: ' ' }), null, []],
  ['a sample', aField('Remark', { sampleValue: ' a ' }), null, ['For example: a']],
  [
    'a sample of a declared date',
    aField('Birth', { sampleValue: '1990-12-31' }),
    'D.M.YYYY',
    ['A date, written as D.M.YYYY.'],
  ],
  [
    'every rule',
    aField('Points', { unique: true, maxLength: 3, min: 1, max: 10, options: ['1', '2'] }),
    null,
    [
      'One of: 1, 2.',
      'At most 3 characters.',
      'Limits, as the service gives them: from 1 to 10.',
      'No two people may have the same value.',
    ],
  ],
  [
    'an unknown list',
    aField('Grade', { inputType: 'drop-down' }),
    null,
    ['One value of a list that the service does not provide.'],
  ],
  ['a list', aField('Grade', { options: many(30) }), null, [`One of: ${many(30).join(', ')}.`]],
  ['a long list', aField('Grade', { options: many(32) }), null, [`One of: ${many(30).join(', ')}, and 2 more.`]],
])('of %s', (_, field, format, notes) => {
  expect(notesOnField(field, format)).toEqual(['May be empty.', ...notes])
})
