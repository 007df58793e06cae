// Decides, before the first row is read, which column fills which field of the course. Pure.

import { cleanText } from './clean-text.ts'
import type { ColumnFault, ColumnPlan, ColumnSpec, FieldSource } from './column-plan.ts'
import { columnSource } from './column-source.ts'
import type { Field } from './field.ts'
import { findField, unknownField } from './find-field.ts'
import { matchByName } from './match-by-name.ts'
import { faultsOfPlan } from './plan-faults.ts'

export interface PlannedColumns {
  /** The planned fields; usable only if there are no faults. */
  plan: ColumnPlan
  faults: ColumnFault[]
  /** Headers of columns that fill no field. */
  unusedColumns: string[]
  /** Display names of fields that nothing fills. */
  unfilledFields: string[]
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
  return { plan, faults, unusedColumns: unusedOf(titles, plan), unfilledFields: unfilledOf(fields, sources) }
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

function unfilledOf(fields: readonly Field[], sources: Map<Field, FieldSource>): string[] {
  return fields.filter((field) => !sources.has(field)).map((field) => field.displayName)
}
