// The least and the most that a field of numbers takes.

import { type Field, isDateField } from './field.ts'
import { looseName } from './loose-name.ts'
import type { Breach } from './violation.ts'

export interface NumberLimits {
  min: number | null
  max: number | null
}

const numberTypes = ['number', 'numeric', 'integer', 'int', 'decimal', 'float', 'double']

/**
 * The limits of a field that says of itself that it holds numbers; null for any other. On a text field a number could as well limit
 * the length.
 */
export function numberLimitsOf(field: Field): NumberLimits | null {
  if (isDateField(field) || ![field.type, field.inputType].some((type) => numberTypes.includes(looseName(type))))
    return null
  const [min, max] = [limitOf(field.min), limitOf(field.max)]
  return min === null && max === null ? null : { min, max }
}

/** What `value` breaks of the limits. One that is no plain number is left to the service: `1.234` may be a thousand or one. */
export function numberBreach(value: string, { min, max }: NumberLimits): Breach | null {
  if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return null
  const number = Number(value)
  if (min !== null && number < min)
    return { rule: 'min_number', wrong: 'which is less than the course takes', remedy: `Give ${min} or more.` }
  if (max !== null && number > max)
    return { rule: 'max_number', wrong: 'which is more than the course takes', remedy: `Give ${max} or less.` }
  return null
}

function limitOf(limit: number | string | null): number | null {
  const number = typeof limit === 'string' && limit.trim() !== '' ? Number(limit) : limit
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
