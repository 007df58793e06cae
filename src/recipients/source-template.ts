// An empty source file for a course: which columns it has, an example of each, and what the course wants there. Pure.

import { cleanText } from './clean-text.ts'
import type { ColumnPlan, ColumnSpec, PlannedField } from './column-plan.ts'
import { exampleMark } from './example-row.ts'
import { type Field, isDateField } from './field.ts'
import { roleOf } from './field-role.ts'
import { notesOn } from './notes-on-field.ts'
import { planColumns } from './plan-columns.ts'

export interface TemplateColumn {
  title: string
  /** With the mark in front; empty where there is none to give. */
  example: string
  /** Sentences. */
  notes: string[]
  /** Whether its cells are dates for a spreadsheet; text otherwise, so that leading zeros stay. */
  isDate: boolean
}

export interface SourceTemplate {
  columns: TemplateColumn[]
  /** Sentences about fields that no column fills, because the configuration does. */
  notes: string[]
}

/**
 * One column for each field, called as `columns` of a pipeline says or else like the field, so that the file is matched as it stands.
 * @param columns a pipeline's; {} without one
 * @param imageColumn of a pipeline whose images travel
 * @returns the template, or the sentences of what is wrong with the columns
 */
export function sourceTemplate(
  fields: readonly Field[],
  columns: Readonly<Record<string, ColumnSpec>> = {},
  imageColumn?: string,
): SourceTemplate | { faults: string[] } {
  const mapped = Object.values(columns).flatMap((spec) =>
    typeof spec === 'string' ? [spec] : 'column' in spec ? [spec.column] : [],
  )
  // The plan of a file that has every column there can be: it tells which of them would be read.
  const header = [...new Set([...mapped, ...fields.map((field) => field.displayName)].map(cleanText))]
  const { plan, faults } = planColumns(header, columns, fields)
  if (faults.length > 0) return { faults: faults.map((fault) => fault.sentence) }
  const byTitle = new Map<string, PlannedField[]>()
  for (const planned of plan)
    if (planned.source.kind === 'column')
      byTitle.set(planned.source.column, [...(byTitle.get(planned.source.column) ?? []), planned])
  const made = [...byTitle].map(([title, filled]) => columnOf(title, filled, fields))
  if (imageColumn !== undefined && !byTitle.has(imageColumn))
    made.push({ title: imageColumn, example: '', notes: ['The name of the image, such as ada.png.'], isDate: false })
  // A row of which no cell bears the mark would be a person.
  const [first] = made
  if (first && made.every(({ example }) => example === '')) first.example = `${exampleMark} text`
  return { columns: made, notes: constantsOf(plan) }
}

function columnOf(title: string, filled: readonly PlannedField[], fields: readonly Field[]): TemplateColumn {
  const example = filled.map((planned) => exampleOf(planned, fields)).find((value) => value !== '')
  const several = filled.length > 1
  return {
    title,
    example: example ? `${exampleMark} ${example}` : '',
    notes: filled.flatMap(({ field, source }) => {
      const date = source.kind === 'column' ? source.date : null
      const named = several || field.displayName !== title ? [`Fills “${field.displayName}”.`] : []
      return [...named, ...notesOn(field, date?.text ?? null)]
    }),
    isDate: filled.every(({ field, source }) => isDateField(field) && source.kind === 'column' && source.date === null),
  }
}

function exampleOf({ field, source }: PlannedField, fields: readonly Field[]): string {
  const date = source.kind === 'column' ? source.date : null
  const sample = cleanText(field.sampleValue)
  // A sample is written as the service wants it, and this column as the configuration says.
  if (date) return date.text
  if (sample !== '') return sample
  if (isDateField(field)) return '1990-12-31'
  const role = roleOf(field)
  if (role === 'email') return 'name@example.org'
  if (role === 'primary value') return fields.find((each) => roleOf(each) === 'email')?.displayName ?? ''
  return field.options[0] ?? (field.required ? 'text' : '')
}

function constantsOf(plan: ColumnPlan): string[] {
  return plan.flatMap(({ field, source }) =>
    source.kind === 'constant'
      ? [`“${field.displayName}” has no column: the configuration fills it with “${source.value}”.`]
      : [],
  )
}
