// One entry of a course's field list, and what follows from it alone.

import { looseName } from './loose-name.ts'

export interface Field {
  /** Internal name, such as email_ or contact_number. */
  name: string
  /** The key under which a recipient record carries the field, such as Contact Number. */
  displayName: string
  type: string
  /** text, drop-down or date-picker. */
  inputType: string
  required: boolean
  unique: boolean
  /** Empty when the field has no pattern. Written by the service's people: hostile until proven otherwise. */
  regex: string
  sampleValue: string
  /** In characters (code points); null when not limited. */
  maxLength: number | null
  min: number | string | null
  max: number | string | null
  /** Of a drop-down; empty when the service does not say. */
  options: string[]
}

/** Whether the field takes a date, which the service wants as YYYY-MM-DD. */
export function isDateField(field: Field): boolean {
  return looseName(field.inputType).replace('-', '') === 'datepicker' || looseName(field.type) === 'date'
}

/** Whether the field is the one whose value names another field: the one that says who the recipient is. */
export function isPrimaryField(field: Field): boolean {
  return looseName(field.name) === 'primaryvalue' || looseName(field.displayName) === 'primaryvalue'
}
