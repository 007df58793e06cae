// Matches columns to fields by name alone, for the fields that the configuration does not mention. Pure.

import type { ColumnFault, FieldSource } from './column-plan.ts'
import type { Field } from './field.ts'
import { fieldsNamed } from './find-field.ts'

export interface NameMatches {
  sources: Map<Field, FieldSource>
  faults: ColumnFault[]
  /** Fields that already have a fault here, so that no second fault is reported because nothing fills them. */
  ambiguous: Set<Field>
}

/**
 * Matches columns and fields of the same name. Leaves out `usedTitles`, the titles that the configuration uses
 * elsewhere, and `assignedFields`, the fields that it assigns. An ambiguous match is a fault; nothing is chosen.
 */
export function matchByName(
  titles: readonly string[],
  usedTitles: ReadonlySet<string>,
  fields: readonly Field[],
  assignedFields: ReadonlySet<Field>,
): NameMatches {
  const columnsOf = new Map<Field, number[]>()
  const matches: NameMatches = { sources: new Map(), faults: [], ambiguous: new Set() }
  titles.forEach((title, index) => {
    if (title === '' || usedTitles.has(title)) return
    const candidates = fieldsNamed(title, fields)
    const free = candidates.filter((field) => !assignedFields.has(field))
    if (candidates.length > 1 && free.length > 0) addAmbiguousTitle(matches, title, free)
    else for (const field of free) columnsOf.set(field, [...(columnsOf.get(field) ?? []), index])
  })
  for (const [field, indexes] of columnsOf) {
    const [index] = indexes
    if (index === undefined) continue
    if (indexes.length > 1) addAmbiguousField(matches, field, indexes, titles)
    else matches.sources.set(field, { kind: 'column', index, column: titles[index] ?? '', date: null })
  }
  return matches
}

function addAmbiguousTitle(matches: NameMatches, title: string, fields: Field[]): void {
  const names = fields.map((field) => `the field “${field.displayName}”`).join(' or ')
  for (const field of fields) matches.ambiguous.add(field)
  const sentence = `The column “${title}” could be ${names}. Say under columns which field it fills.`
  matches.faults.push({ kind: 'column_ambiguous', field: fields[0]?.displayName ?? '', sentence })
}

function addAmbiguousField(matches: NameMatches, field: Field, indexes: number[], titles: readonly string[]): void {
  const names = indexes.map((index) => `“${titles[index]}”`).join(' and ')
  matches.ambiguous.add(field)
  const sentence = `The columns ${names} both match the field “${field.displayName}”. Say under columns which one fills it.`
  matches.faults.push({ kind: 'column_ambiguous', field: field.displayName, sentence })
}
