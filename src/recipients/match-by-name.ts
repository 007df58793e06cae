// Matches the columns that the configuration leaves out with the fields it leaves out, by name alone.

import type { ColumnFault, FieldSource } from './column-plan.ts'
import type { Field } from './field.ts'
import { fieldsNamed } from './find-field.ts'

export interface NameMatches {
  sources: Map<Field, FieldSource>
  faults: ColumnFault[]
  /** Fields that have a fault here, and need no second one for being empty. */
  ambiguous: Set<Field>
}

/**
 * Pairs columns and fields of the same name. `named` are titles the configuration uses elsewhere, `decided` fields it
 * decides; both are left alone. What could be meant in two ways is a fault, never a choice.
 */
export function matchByName(
  titles: readonly string[],
  named: ReadonlySet<string>,
  fields: readonly Field[],
  decided: ReadonlySet<Field>,
): NameMatches {
  const columnsOf = new Map<Field, number[]>()
  const found: NameMatches = { sources: new Map(), faults: [], ambiguous: new Set() }
  titles.forEach((title, index) => {
    if (title === '' || named.has(title)) return
    const meant = fieldsNamed(title, fields)
    const free = meant.filter((field) => !decided.has(field))
    if (meant.length > 1 && free.length > 0) addAmbiguousTitle(found, title, free)
    else for (const field of free) columnsOf.set(field, [...(columnsOf.get(field) ?? []), index])
  })
  for (const [field, indexes] of columnsOf) {
    const [index] = indexes
    if (index === undefined) continue
    if (indexes.length > 1) addAmbiguousField(found, field, indexes, titles)
    else found.sources.set(field, { kind: 'column', index, column: titles[index] ?? '', date: null })
  }
  return found
}

function addAmbiguousTitle(found: NameMatches, title: string, fields: Field[]): void {
  const names = fields.map((field) => `“${field.displayName}”`).join(' or ')
  for (const field of fields) found.ambiguous.add(field)
  const sentence = `The column “${title}” could be ${names}. Say under columns which field it fills.`
  found.faults.push({ kind: 'column_ambiguous', field: fields[0]?.displayName ?? '', sentence })
}

function addAmbiguousField(found: NameMatches, field: Field, indexes: number[], titles: readonly string[]): void {
  const names = indexes.map((index) => `“${titles[index]}”`).join(' and ')
  found.ambiguous.add(field)
  const sentence = `The columns ${names} both match the field “${field.displayName}”. Say under columns which one fills it.`
  found.faults.push({ kind: 'column_ambiguous', field: field.displayName, sentence })
}
