// Shows the recipient fields of a course as a table. Pure.

import type { Field } from '#src/domain/recipient/field.ts'
import type { Column } from './table.ts'

const columns: readonly (Column & { cell: (field: Field) => string })[] = [
  { title: 'field', whole: true, cell: (field) => field.displayName },
  { title: 'internal name', cell: (field) => field.name },
  { title: 'type', cell: ({ type, inputType }) => (type === inputType ? type : `${type} ${inputType}`.trim()) },
  { title: 'required', cell: ({ required }) => (required ? 'yes' : '') },
  { title: 'unique', cell: ({ unique }) => (unique ? 'yes' : '') },
  { title: 'max', cell: ({ maxLength }) => maxLength?.toString() ?? '' },
  { title: 'from', cell: ({ min }) => min?.toString() ?? '' },
  { title: 'to', cell: ({ max }) => max?.toString() ?? '' },
  { title: 'options', cell: ({ options }) => options.join(', ') },
  { title: 'sample', cell: ({ sampleValue }) => sampleValue },
  { title: 'pattern', cell: ({ regex }) => regex },
]

export function fieldTable(fields: readonly Field[]): { columns: readonly Column[]; rows: string[][] } {
  return { columns, rows: fields.map((field) => columns.map(({ cell }) => cell(field))) }
}
