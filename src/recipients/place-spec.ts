// Turns what the configuration says about one field into its source in a file, or into a fault.

import { cleanText } from './clean-text.ts'
import type { ColumnFault, ColumnFaultKind, ColumnSpec, FieldSource } from './column-plan.ts'
import { parseDateFormat } from './date-format.ts'
import type { Field } from './field.ts'
import { nearestName } from './nearest-name.ts'

/** The source of `field` in a file with these column titles, as `spec` declares it, or what is wrong with the declaration. */
export function placeSpec(field: Field, spec: ColumnSpec, titles: readonly string[]): FieldSource | ColumnFault {
  const fault = (kind: ColumnFaultKind, sentence: string): ColumnFault => ({ kind, field: field.displayName, sentence })
  if (typeof spec === 'object' && 'value' in spec) return { kind: 'constant', value: spec.value }

  const written = typeof spec === 'string' ? spec : spec.column
  const column = cleanText(written)
  const index = titles.indexOf(column)
  if (column === '' || index < 0) return fault('column_missing', columnMissing(field, column, titles))
  if (titles.lastIndexOf(column) !== index) {
    const sentence = `The file has two columns “${column}”, and “${field.displayName}” is to come from it. Rename one of them.`
    return fault('column_ambiguous', sentence)
  }
  const declared = typeof spec === 'string' ? undefined : spec.date
  if (declared === undefined) return { kind: 'column', index, column, date: null }
  const date = parseDateFormat(declared)
  if (!date) {
    const advice = 'Write it with one day (DD or D), one month (MM or M) and YYYY, such as DD.MM.YYYY or M/D/YYYY.'
    return fault('date_format', `The date format “${declared}” of “${field.displayName}” is not understood. ${advice}`)
  }
  return { kind: 'column', index, column, date }
}

/**
 * Says which column is missing. The columns that are there are not listed: in a file without a header row they are the first
 * person's data. One close to what was asked for is a title, unless it has digits or an @ as addresses and numbers have.
 */
function columnMissing(field: Field, column: string, titles: readonly string[]): string {
  const near = nearestName(
    column,
    titles.filter((title) => !/[@\d]/.test(title)),
  )
  const guess = near ? `Did you mean “${near}”?` : 'Check the first row of the file, and the spelling under columns.'
  return `The file has no column “${column}”, from which “${field.displayName}” is to come. ${guess}`
}
