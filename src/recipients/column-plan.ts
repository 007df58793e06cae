// The plan of a file: which field is filled from which column or constant, and what a plan can have wrong.

import type { DateFormat } from './date-format.ts'
import type { Field } from './field.ts'
import type { ViolationPlace } from './violation.ts'

/**
 * Where a field comes from, as the configuration says it: a column's header; a constant; or a column whose dates are
 * written in a declared format.
 */
export type ColumnSpec = string | { value: string } | { column: string; date?: string }

/** `letters` are those above the column in a spreadsheet, of a workbook only. */
export type FieldSource =
  | { kind: 'column'; index: number; column: string; letters?: string; date: DateFormat | null }
  | { kind: 'constant'; value: string }

export interface PlannedField {
  field: Field
  source: FieldSource
}

/** Where a violation of the field is: its column, or the field's own name for a constant of the configuration. */
export function placeOf({ field, source }: PlannedField, row: number): ViolationPlace {
  const { displayName } = field
  if (source.kind === 'constant') return { row, column: displayName, field: displayName }
  return { row, column: source.column, letters: source.letters, field: displayName }
}

/** In the order of the course's field list; a field appears at most once. */
export type ColumnPlan = readonly PlannedField[]

export type ColumnFaultKind =
  | 'unknown_field'
  | 'field_twice'
  | 'column_missing'
  | 'column_ambiguous'
  | 'date_format'
  | 'required_field'
  | 'primary_value'

export interface ColumnFault {
  kind: ColumnFaultKind
  /** The field's display name, or what the configuration calls it when the course has no such field. */
  field: string
  /** What is wrong and what to do, for people. */
  sentence: string
}
