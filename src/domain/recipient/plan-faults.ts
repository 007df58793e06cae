// Finds the faults of a plan as a whole: required fields that nothing fills, and a primary value that names no field.
// Pure.

import { cleanText } from './clean-text.ts'
import type { ColumnFault, ColumnPlan } from './column-plan.ts'
import type { Field } from './field.ts'
import { roleOf } from './field-role.ts'
import { existingFields } from './find-field.ts'
import { nearestName } from './nearest-name.ts'

/** Finds the faults of `plan` for a course with `fields`. Fields in `explained` already have a fault. */
export function faultsOfPlan(plan: ColumnPlan, fields: readonly Field[], explained: ReadonlySet<Field>): ColumnFault[] {
  const filled = new Map(plan.map(({ field, source }) => [field, source]))
  const faults: ColumnFault[] = []
  for (const field of fields) {
    const source = filled.get(field)
    const emptyConstant = source?.kind === 'constant' && cleanText(source.value) === ''
    if (field.required && (source ? emptyConstant : !explained.has(field))) faults.push(unfilledFault(field, fields))
    else if (source?.kind === 'constant' && roleOf(field) === 'primary value') {
      const namedField = fields.find((field) => field.displayName === cleanText(source.value))
      const sentence = namedFault(cleanText(source.value), namedField, filled, fields, explained)
      if (sentence) faults.push({ kind: 'primary_value', field: field.displayName, sentence })
    }
  }
  return faults
}

function unfilledFault(field: Field, fields: readonly Field[]): ColumnFault {
  const start = `The course requires the field “${field.displayName}”, and no column fills it.`
  const example = nearestName('Email', names(fields)) ?? 'Email'
  const advice =
    roleOf(field) === 'primary value'
      ? `Its value names the field that identifies the person: add “${field.displayName}: { value: ${example} }” under columns.`
      : `Add “${field.displayName}: <title of the column>” under columns.`
  return { kind: 'required_field', field: field.displayName, sentence: `${start} ${advice}` }
}

/** Checks a constant primary value. A required field that nothing fills is reported as a fault of its own. */
function namedFault(
  value: string,
  namedField: Field | undefined,
  filled: ReadonlyMap<Field, unknown>,
  fields: readonly Field[],
  explained: ReadonlySet<Field>,
): string | null {
  if (value === '') return null
  if (!namedField)
    return `The primary value must name a field, and “${value}” is not in the course.${existingFields(value, fields)}`
  if (filled.has(namedField) || namedField.required || explained.has(namedField)) return null
  return `The primary value names the field “${value}”, and no column fills it. Add “${value}: <title of the column>” under columns.`
}

function names(fields: readonly Field[]): string[] {
  return fields.map((field) => field.displayName)
}
