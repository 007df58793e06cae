// Validates a recipient record against the course's field list. Pure.

import { isRealDate } from './calendar.ts'
import { isFields } from './read-body.ts'
import { type FieldDescriptor, primaryFields } from './recipient-fields.ts'

/** Describes what is wrong with a recipient record, naming the field but not the value; null if it is valid. */
export function recipientFault(record: unknown, fields: readonly FieldDescriptor[]): string | null {
  if (!isFields(record)) return 'is not an object keyed by display names'
  for (const field of fields) {
    const fault = valueFault(record[field.display_name] ?? '', field)
    if (fault) return `${field.display_name} ${fault}`
  }
  const primary = String(record['Primary Value'])
  if (!primaryFields.includes(primary)) return `Primary Value must be ${primaryFields.join(' or ')}`
  if ((record[primary] ?? '') === '') return `Primary Value names ${primary}, which is empty`
  // Keys that are not in the field list are accepted, because the service's documentation allows them.
  return null
}

function valueFault(value: unknown, field: FieldDescriptor): string | null {
  if (typeof value !== 'string') return 'must be text'
  if (value.trim() === '') return field.required ? 'is required' : null
  if (field.max_length !== undefined && value.length > field.max_length) {
    return `is longer than ${field.max_length} characters`
  }
  if (field.input_type === 'date-picker' && !isRealDate(value)) return 'is not a date of the form YYYY-MM-DD'
  // The patterns are those of the sandbox and the value is short, so the built-in engine is safe here.
  if (field.regex !== '' && !new RegExp(field.regex).test(value)) return 'does not have the required form'
  return null
}
