// Builds the content of an empty source file for a course: its columns, and notes on what the course expects. Pure.

import { cleanText } from './clean-text.ts'
import { isIdentifierColumn } from './column-name-meaning.ts'
import type { ColumnPlan, ColumnSpec, PlannedField } from './column-plan.ts'
import { type Field, isChoiceField, isDateField } from './field.ts'
import { roleOf } from './field-role.ts'
import { planColumns } from './plan-columns.ts'
import { decidingColumns, type Where } from './who-is-meant.ts'

export interface TemplateColumn {
  title: string
  /** What the course expects, as sentences. */
  notes: string[]
  /** True if the cells are spreadsheet dates; otherwise they are text, so that leading zeros are kept. */
  isDate: boolean
}

export interface SourceTemplate {
  columns: TemplateColumn[]
  /** Sentences about the fields that have no column because the configuration fills them. */
  notes: string[]
}

/**
 * Makes one column for each field. Its title comes from the pipeline's `columns`, or else is the field's name, so that
 * the pipeline can read the file unchanged.
 * @param columns the `columns` of the pipeline; {} without a pipeline
 * @param imageColumn the image column of a pipeline that sends images
 * @param where the setting of that name, which says in which rows a column has to have which value
 * @returns the template, or sentences about what is wrong with `columns`
 */
export function sourceTemplate(
  fields: readonly Field[],
  columns: Readonly<Record<string, ColumnSpec>> = {},
  imageColumn?: string,
  where: Where = {},
): SourceTemplate | { faults: string[] } {
  const mapped = Object.values(columns).flatMap((spec) =>
    typeof spec === 'string' ? [spec] : 'column' in spec ? [spec.column] : [],
  )
  // A file with every possible column is planned to find out which of them would be read.
  const header = [...new Set([...mapped, ...fields.map((field) => field.displayName)].map(cleanText))]
  const { plan, faults } = planColumns(header, columns, fields)
  if (faults.length > 0) return { faults: faults.map((fault) => fault.sentence) }
  const byTitle = new Map<string, PlannedField[]>()
  for (const planned of plan)
    if (planned.source.kind === 'column')
      byTitle.set(planned.source.column, [...(byTitle.get(planned.source.column) ?? []), planned])
  const templateColumns = [...byTitle].map(([title, filled]) => columnOf(title, filled))
  const addColumn = (title: string, note: string) => {
    if (!byTitle.has(title)) templateColumns.push({ title, notes: [note], isDate: false })
  }
  if (imageColumn !== undefined) addColumn(imageColumn, 'The name of the image, such as ada.png.')
  for (const { column, values } of decidingColumns(where))
    addColumn(column, `Only rows with ${values.join(' or ')} are issued.`)
  return { columns: templateColumns, notes: constantsOf(plan) }
}

function columnOf(title: string, filled: readonly PlannedField[]): TemplateColumn {
  const several = filled.length > 1
  return {
    title,
    notes: filled.flatMap(({ field, source }) => {
      const date = source.kind === 'column' ? source.date : null
      const fillsNote = several || field.displayName !== title ? [`Fills “${field.displayName}”.`] : []
      return [...fillsNote, ...notesOnField(field, date?.text ?? null)]
    }),
    isDate: filled.every(({ field, source }) => isDateField(field) && source.kind === 'column' && source.date === null),
  }
}

function constantsOf(plan: ColumnPlan): string[] {
  return plan.flatMap(({ field, source }) =>
    source.kind === 'constant'
      ? [`“${field.displayName}” has no column: the configuration fills it with “${source.value}”.`]
      : [],
  )
}

const maxOptions = 30

/**
 * Describes what a course expects in a field, in sentences for people who fill in a table.
 * @param dateFormat the format that the configuration declares for the field's column; null for YYYY-MM-DD
 */
export function notesOnField(field: Field, dateFormat: string | null): string[] {
  const { required, unique, maxLength, min, max, regex, options } = field
  const isDate = isDateField(field) || dateFormat !== null
  const sample = cleanText(field.sampleValue)
  const limits = [isSet(min) ? `from ${min}` : '', isSet(max) ? `to ${max}` : ''].filter((part) => part !== '')
  return [
    required ? 'Required.' : 'May be empty.',
    ...(isDate ? [`A date, written as ${dateFormat ?? 'YYYY-MM-DD, or a real date of a spreadsheet'}.`] : []),
    ...(roleOf(field) === 'primary value'
      ? ['Names the field that identifies the person, exactly as the course calls it, such as Email.']
      : choiceNotes(field, options)),
    ...(!isDate && [field.name, field.displayName].some(isIdentifierColumn)
      ? ['Text, not a number: a spreadsheet drops leading zeros and plus signs.']
      : []),
    ...(maxLength !== null && maxLength > 0 ? [`At most ${maxLength} characters.`] : []),
    ...(limits.length > 0 ? [`Limits, as the service gives them: ${limits.join(' ')}.`] : []),
    ...(unique ? ['No two people may have the same value.'] : []),
    // A sample date is written as the service does, which is not how a declared format has it.
    ...(sample === '' || dateFormat !== null ? [] : [`For example: ${sample}`]),
    ...(regex.trim() === '' ? [] : [`Must fit the pattern ${regex.trim()}`]),
  ].map((note) => note.replace(/\p{Cc}+/gu, ' '))
}

function choiceNotes(field: Field, options: readonly string[]): string[] {
  if (!isChoiceField(field)) return []
  if (options.length === 0) return ['One value of a list that the service does not provide.']
  const more = options.length > maxOptions ? `, and ${options.length - maxOptions} more` : ''
  return [`One of: ${options.slice(0, maxOptions).join(', ')}${more}.`]
}

function isSet(limit: Field['min']): boolean {
  return limit !== null && String(limit).trim() !== ''
}
