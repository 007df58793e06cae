// Finds the field of a course that a name means.

import type { Field } from './field.ts'
import { looseName } from './loose-name.ts'
import { nearestName } from './nearest-name.ts'

/**
 * The field with this display name; else the only one whose display name, or else internal name, is the same but for case,
 * spaces and underscores. Undefined when there is none or more than one.
 */
export function findField(name: string, fields: readonly Field[]): Field | undefined {
  const [only, another] = fieldsNamed(name, fields)
  return another ? undefined : only
}

/** All fields a name can mean, by the closest way of meaning that finds any. */
export function fieldsNamed(name: string, fields: readonly Field[]): Field[] {
  const exact = fields.find((field) => field.displayName === name)
  if (exact) return [exact]
  const wanted = looseName(name)
  if (wanted === '') return []
  const byDisplay = fields.filter((field) => looseName(field.displayName) === wanted)
  return byDisplay.length > 0 ? byDisplay : fields.filter((field) => looseName(field.name) === wanted)
}

/** Says that the course has no such field, which it has, and which was probably meant. */
export function unknownField(name: string, fields: readonly Field[]): string {
  const names = fields.map((field) => field.displayName)
  const near = nearestName(name, names)
  const guess = near ? ` Did you mean “${near}”?` : ''
  const known = names.length > 0 ? ` It has: ${names.join(', ')}.` : ' Its field list is empty.'
  return `The course has no field “${name}”.${guess}${known}`
}
