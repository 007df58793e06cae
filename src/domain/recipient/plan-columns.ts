// Decides, before the first row is read, which column fills which field of the course. Pure.

import { cleanText } from './clean-text.ts'
import type { ColumnFault, ColumnFaultKind, ColumnPlan, ColumnSpec, FieldSource } from './column-plan.ts'
import { parseDateFormat } from './date-format.ts'
import type { Field } from './field.ts'
import { roleOf } from './field-role.ts'
import { existingFields, fieldsNamed, findField, unknownField } from './find-field.ts'
import { nearestName, nearestTitle } from './nearest-name.ts'

export interface PlannedColumns {
  /** The planned fields; usable only if there are no faults. */
  plan: ColumnPlan
  faults: ColumnFault[]
  /** Headers of columns that fill no field. */
  unusedColumns: string[]
}

/**
 * Plans a file with this header for a course with these fields. A field in `columns` takes its value only from what
 * `columns` says. The other fields are matched by name with the remaining columns, ignoring case, spaces and
 * underscores. Never throws.
 */
export function planColumns(
  header: readonly string[],
  columns: Record<string, ColumnSpec>,
  fields: readonly Field[],
): PlannedColumns {
  const titles = header.map(cleanText)
  const sources = new Map<Field, FieldSource>()
  // Includes fields whose spec failed, because matching by name would hide the mistake.
  const assignedFields = new Set<Field>()
  const faults: ColumnFault[] = []

  for (const [name, spec] of Object.entries(columns)) {
    const field = findField(name, fields)
    if (!field) {
      faults.push({ kind: 'unknown_field', field: name, sentence: unknownField(name, fields) })
    } else if (assignedFields.has(field)) {
      const sentence = `The field “${field.displayName}” is listed twice under columns, once as “${name}”. Keep one of them.`
      faults.push({ kind: 'field_twice', field: field.displayName, sentence })
    } else {
      assignedFields.add(field)
      const sourceOrFault = columnSource(field, spec, titles)
      if ('sentence' in sourceOrFault) faults.push(sourceOrFault)
      else sources.set(field, sourceOrFault)
    }
  }

  const matched = matchByName(titles, namedColumns(columns), fields, assignedFields)
  for (const [field, source] of matched.sources) sources.set(field, source)
  faults.push(...matched.faults)

  const plan = fields.flatMap((field) => {
    const source = sources.get(field)
    return source ? [{ field, source }] : []
  })
  const explained = new Set([...assignedFields, ...matched.ambiguous])
  faults.push(...faultsOfPlan(plan, fields, explained))
  return { plan, faults, unusedColumns: unusedOf(titles, plan) }
}

function namedColumns(columns: Record<string, ColumnSpec>): Set<string> {
  const named = new Set<string>()
  for (const spec of Object.values(columns)) {
    if (typeof spec === 'string') named.add(cleanText(spec))
    else if ('column' in spec) named.add(cleanText(spec.column))
  }
  return named
}

function unusedOf(titles: string[], plan: ColumnPlan): string[] {
  const used = new Set(plan.map(({ source }) => (source.kind === 'column' ? source.index : -1)))
  return titles.filter((title, index) => title !== '' && !used.has(index))
}

interface NameMatches {
  sources: Map<Field, FieldSource>
  faults: ColumnFault[]
  /** Fields that already have a fault here, so that no second fault is reported because nothing fills them. */
  ambiguous: Set<Field>
}

/**
 * Matches columns and fields by name alone. Leaves out `usedTitles`, the titles that the configuration uses elsewhere,
 * and `assignedFields`, the fields that it assigns. An ambiguous match is a fault; nothing is chosen.
 */
function matchByName(
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

/**
 * Finds the source of `field`, as `spec` declares it, in a file or a completion with these column titles.
 * @returns a fault if there is no unique column for `spec`, or its date format is invalid
 */
export function columnSource(field: Field, spec: ColumnSpec, titles: readonly string[]): FieldSource | ColumnFault {
  const fault = (kind: ColumnFaultKind, sentence: string): ColumnFault => ({ kind, field: field.displayName, sentence })
  if (typeof spec === 'object' && 'value' in spec) return { kind: 'constant', value: spec.value }

  const written = typeof spec === 'string' ? spec : spec.column
  const column = cleanText(written)
  const index = titles.indexOf(column)
  if (column === '' || index < 0) return fault('column_missing', columnMissing(field, column, titles))
  if (titles.lastIndexOf(column) !== index) {
    const sentence = `Two columns are called “${column}”, so it is unclear which one the field “${field.displayName}” comes from. Rename one of them.`
    return fault('column_ambiguous', sentence)
  }
  const { date: declared, allow: resting } = typeof spec === 'string' ? {} : spec
  if (declared === undefined) return { kind: 'column', index, column, date: null, resting }
  const date = parseDateFormat(declared)
  if (!date) {
    const advice = 'Write it with one day (DD or D), one month (MM or M) and YYYY, such as DD.MM.YYYY or M/D/YYYY.'
    return fault(
      'date_format',
      `The date format “${declared}” of the field “${field.displayName}” is not understood. ${advice}`,
    )
  }
  return { kind: 'column', index, column, date, resting }
}

/**
 * Reports the missing column. The existing columns are not listed, because in a file without a header row they are the
 * first person's data.
 */
function columnMissing(field: Field, column: string, titles: readonly string[]): string {
  const near = nearestTitle(column, titles)
  const guess = near ? `Did you mean “${near}”?` : 'Check the column names, and the spelling under columns.'
  return `There is no column “${column}” for the field “${field.displayName}”. ${guess}`
}

/**
 * Finds the faults of `plan` as a whole for a course with `fields`: required fields that nothing fills, and a primary
 * value that names no field. Fields in `explained` already have a fault.
 */
function faultsOfPlan(plan: ColumnPlan, fields: readonly Field[], explained: ReadonlySet<Field>): ColumnFault[] {
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
