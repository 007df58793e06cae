// What is said about a cell that is not a date.

import { expect, test } from 'vitest'
import type { FieldSource } from '#src/domain/recipient/column-plan.ts'
import { dateBreach } from '#src/domain/recipient/date-breach.ts'
import { columnSource } from '#src/domain/recipient/plan-columns.ts'
import { aField } from './fields.ts'

const field = aField('Birth Date', { inputType: 'date-picker' })
const sourceOf = (spec: Parameters<typeof columnSource>[1]) => columnSource(field, spec, ['born']) as FieldSource
const said = (fault: 'shape' | 'no_such_day' | 'time', kind: string | undefined, source: FieldSource) => {
  const { rule, wrong, remedy } = dateBreach(fault, kind, { field, source })
  expect(rule).toBe('date')
  return `${wrong}. ${remedy}`
}

test.each([
  ['no_such_day', undefined, 'born', /not a day in the calendar.*Correct the date/],
  ['time', undefined, 'born', /has a time.*the date alone, as YYYY-MM-DD/],
  ['shape', 'number', 'born', /is a number.*Format the column as a date/],
  ['shape', undefined, { column: 'born', date: 'D.M.YYYY' }, /not written as D\.M\.YYYY.*or the format under columns/],
  ['shape', undefined, { value: 'soon' }, /not a date written as YYYY-MM-DD.*Correct the constant/],
  ['shape', undefined, 'born', /as YYYY-MM-DD.*under columns: Birth Date: \{ column: born, date: DD\.MM\.YYYY \}/],
] as const)('the fault %s of a cell of kind %s, which comes from %j, is explained', (fault, kind, spec, sentence) => {
  expect(said(fault, kind, sourceOf(spec))).toMatch(sentence)
})
