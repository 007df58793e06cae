// Masks a recipient record for display: it shows every field that is sent, and just enough of each value to recognize
// it. Pure.

import type { ColumnPlan } from './column-plan.ts'
import { isDateField } from './field.ts'
import { roleOf } from './field-role.ts'
import { maskShape, maskValue } from './mask-value.ts'

/**
 * Masks the record's values; a date is reduced to its shape. Constants of the configuration are not personal, and a
 * primary value is the name of a field, so both are shown unchanged.
 */
export function maskRecipient(
  recipient: Readonly<Record<string, string>>,
  plan: ColumnPlan,
): Readonly<Record<string, string>> {
  const masked: Record<string, string> = Object.create(null)
  for (const { field, source } of plan) {
    const value = recipient[field.displayName]
    if (value === undefined) continue
    const isShown = source.kind === 'constant' || roleOf(field) === 'primary value'
    const isDate = isDateField(field) || (source.kind === 'column' && source.date !== null)
    masked[field.displayName] = isShown ? value : isDate ? maskShape(value) : maskValue(value)
  }
  return masked
}
