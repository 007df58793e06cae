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

/** Whether the field takes one of a list of values, also where the service does not say which. */
export function isChoiceField(field: Field): boolean {
  return field.options.length > 0 || looseName(field.inputType).replace('-', '') === 'dropdown'
}
