// A recipient record as it may be shown: every field that is sent, and of each value no more than is needed to know it again.

import type { ColumnPlan } from './column-plan.ts'
import { isDateField } from './field.ts'
import { roleOf } from './field-role.ts'
import { maskShape, maskValue } from './mask-value.ts'

/**
 * The record with its values masked, a date as its shape. Constants of the configuration are nobody's, and a primary value is the
 * name of a field: both are shown as they are.
 */
export function maskRecipient(
  recipient: Readonly<Record<string, string>>,
  plan: ColumnPlan,
): Readonly<Record<string, string>> {
  const masked: Record<string, string> = Object.create(null)
  for (const { field, source } of plan) {
    const value = recipient[field.displayName]
    if (value === undefined) continue
    const open = source.kind === 'constant' || roleOf(field) === 'primary value'
    const isDate = isDateField(field) || (source.kind === 'column' && source.date !== null)
    masked[field.displayName] = open ? value : isDate ? maskShape(value) : maskValue(value)
  }
  return masked
}
