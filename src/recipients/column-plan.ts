// The plan of a file: which field is filled from which column or constant, and what a plan can have wrong.

import type { DateFormat } from './date-format.ts'
import type { Field } from './field.ts'

/**
 * Where a field comes from, as the configuration says it: a column's header; a constant; or a column whose dates are
 * written in a declared format.
 */
export type ColumnSpec = string | { value: string } | { column: string; date?: string }

export type FieldSource =
  | { kind: 'column'; index: number; column: string; date: DateFormat | null }
  | { kind: 'constant'; value: string }

export interface PlannedField {
  field: Field
  source: FieldSource
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
