// Finds the field of a course that a name refers to. Pure.

import type { Field } from './field.ts'
import { looseName } from './loose-name.ts'
import { nearestName } from './nearest-name.ts'

/**
 * Finds the field with exactly this display name. If there is none, finds the field whose display name, or otherwise
 * internal name, matches when case, spaces and underscores are ignored. Undefined if no field or several fields match.
 */
export function findField(name: string, fields: readonly Field[]): Field | undefined {
  const [only, another] = fieldsNamed(name, fields)
  return another ? undefined : only
}

/** Finds all fields that a name can refer to. An exact match excludes the looser ones. */
export function fieldsNamed(name: string, fields: readonly Field[]): Field[] {
  const exact = fields.find((field) => field.displayName === name)
  if (exact) return [exact]
  const wanted = looseName(name)
  if (wanted === '') return []
  const byDisplay = fields.filter((field) => looseName(field.displayName) === wanted)
  return byDisplay.length > 0 ? byDisplay : fields.filter((field) => looseName(field.name) === wanted)
}

/** Describes the fault of an unknown field, with the fields that exist and the one that was probably meant. */
export function unknownField(name: string, fields: readonly Field[]): string {
  return `The course has no field “${name}”.${existingFields(name, fields)}`
}

/** Continues a sentence that ends with the course: says which field was probably meant, and which fields exist. */
export function existingFields(name: string, fields: readonly Field[]): string {
  const names = fields.map((field) => field.displayName)
  const near = nearestName(name, names)
  const guess = near ? ` Did you mean the field “${near}”?` : ''
  return `${guess}${names.length > 0 ? ` It has: ${names.join(', ')}.` : ' Its field list is empty.'}`
}
