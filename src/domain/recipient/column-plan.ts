// The types of a file's column plan: which column or constant fills which field, and the faults that a plan can have.

import type { DateFormat } from './date-format.ts'
import type { Field } from './field.ts'
import type { ViolationPlace } from './violation.ts'

/**
 * The source of a field as the configuration declares it: a column's header, a constant, or a column whose dates have a
 * declared format, or in which some rules rest.
 */
export type ColumnSpec =
  | string
  | { value: string }
  | { column: string; date?: string | undefined; allow?: readonly string[] | undefined }

/** Returns the rules that the configuration lets rest for the column. */
export function allowedRules(spec: ColumnSpec): readonly string[] {
  return (typeof spec === 'object' && 'column' in spec && spec.allow) || []
}

/** `resting`: the rules that are not applied to the column. */
export type FieldSource =
  | {
      kind: 'column'
      index: number
      column: string
      date: DateFormat | null
      resting?: readonly string[] | undefined
    }
  | { kind: 'constant'; value: string }

export interface PlannedField {
  field: Field
  source: FieldSource
}

/** Locates a violation of the field: by its column, or by the field's name if its value is a configured constant. */
export function placeOfColumn({ field, source }: PlannedField, row: number): ViolationPlace {
  const { displayName } = field
  return { row, column: source.kind === 'constant' ? displayName : source.column, field: displayName }
}

/** The planned fields in the order of the course's field list; each field appears at most once. */
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
  /** The field's display name, or the name in the configuration if the course has no such field. */
  field: string
  /** What is wrong and what to do, as text for people. */
  sentence: string
}
