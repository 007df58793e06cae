// One entry of a course's field list, and what can be derived from it alone. Pure.

import { looseName } from './loose-name.ts'

export interface Field {
  /** The service's internal name, such as email_ or contact_number. */
  name: string
  /** The key of the field in a recipient record, such as Contact Number. */
  displayName: string
  type: string
  /** One of text, drop-down or date-picker. */
  inputType: string
  required: boolean
  unique: boolean
  /** Empty if the field has no pattern. Patterns come from the service and are untrusted. */
  regex: string
  sampleValue: string
  /** In characters (code points); null if not limited. */
  maxLength: number | null
  /** Date fields have limits too; the documentation does not say what the number means there. */
  min: number | string | null
  max: number | string | null
  /** The options of a drop-down; empty if the service does not provide them. */
  options: string[]
}

/** @returns true if the field accepts a date, which the service expects as YYYY-MM-DD */
export function isDateField(field: Field): boolean {
  return looseName(field.inputType).replace('-', '') === 'datepicker' || looseName(field.type) === 'date'
}

/** @returns true if the field accepts one of a list of values, even if the service does not provide the list */
export function isChoiceField(field: Field): boolean {
  return field.options.length > 0 || looseName(field.inputType).replace('-', '') === 'dropdown'
}
