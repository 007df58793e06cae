// Reads the minimum and maximum of a numeric field, and checks values against them. Pure.

import { type Field, isDateField } from './field.ts'
import { looseName } from './loose-name.ts'
import type { Breach } from './violation.ts'

export interface NumberLimits {
  min: number | null
  max: number | null
}

const numberTypes = ['number', 'numeric', 'integer', 'int', 'decimal', 'float', 'double']

/**
 * Reads the limits of a field whose type is numeric; null for any other field, because on a text field a number might
 * limit the length instead.
 */
export function numberLimitsOf(field: Field): NumberLimits | null {
  if (!isNumberField(field)) return null
  const [min, max] = [limitOf(field.min), limitOf(field.max)]
  return min === null && max === null ? null : { min, max }
}

/** @returns true if the field accepts a number */
export function isNumberField(field: Field): boolean {
  return !isDateField(field) && [field.type, field.inputType].some((type) => numberTypes.includes(looseName(type)))
}

/**
 * Checks a value against the limits. A value that is not a plain number is left to the service. `1.234` is read as a
 * decimal.
 * @returns how `value` breaks the limits, or null
 */
export function numberBreach(value: string, { min, max }: NumberLimits): Breach | null {
  if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return null
  const number = Number(value)
  if (min !== null && number < min)
    return { rule: 'min_number', wrong: 'which is less than the course allows', remedy: `Enter ${min} or more.` }
  if (max !== null && number > max)
    return { rule: 'max_number', wrong: 'which is more than the course allows', remedy: `Enter ${max} or less.` }
  return null
}

function limitOf(limit: number | string | null): number | null {
  const number = typeof limit === 'string' && limit.trim() !== '' ? Number(limit) : limit
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
