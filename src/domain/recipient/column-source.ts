// Resolves what the configuration declares for a field to the field's source, in a file or a completion, or to a fault.
// Pure.

import { cleanText } from './clean-text.ts'
import type { ColumnFault, ColumnFaultKind, ColumnSpec, FieldSource } from './column-plan.ts'
import { parseDateFormat } from './date-format.ts'
import type { Field } from './field.ts'
import { nearestTitle } from './nearest-name.ts'

/**
 * Finds the source of `field` in a file with these column titles.
 * @returns a fault if the file has no unique column for the declaration `spec`, or its date format is invalid
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
