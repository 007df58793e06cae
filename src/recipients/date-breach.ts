// Words for a cell that is no date the service takes.

import type { IsoReading } from './calendar-date.ts'
import type { PlannedField } from './column-plan.ts'
import type { Breach } from './violation.ts'

type DateFault = Extract<IsoReading, { fault: unknown }>['fault']

/** What is wrong with a date and how to write it, or how to declare the way it is written. */
export function dateBreach(fault: DateFault, kind: string | undefined, { field, source }: PlannedField): Breach {
  if (fault === 'no_such_day') {
    return { rule: 'date', wrong: 'which is no day of the calendar', remedy: 'Correct the date in the file.' }
  }
  if (fault === 'time') {
    const wrong = 'which is a time and not only a date'
    return { rule: 'date', wrong, remedy: 'Write the date alone, as YYYY-MM-DD, such as 1990-12-31.' }
  }
  if (kind === 'number') {
    const wrong = 'which is a number and not a date'
    return { rule: 'date', wrong, remedy: 'Format the column as a date in the spreadsheet.' }
  }
  const declared = source.kind === 'column' ? source.date : null
  if (declared) {
    const wrong = `which is not written as ${declared.text}, the format declared for this column`
    return { rule: 'date', wrong, remedy: 'Correct the date in the file, or the format under columns.' }
  }
  const wrong = 'which is not a date written as YYYY-MM-DD'
  if (source.kind === 'constant') return { rule: 'date', wrong, remedy: 'Correct the constant under columns.' }
  const example = `${field.displayName}: { column: ${source.column}, date: DD.MM.YYYY }`
  return {
    rule: 'date',
    wrong,
    remedy: `Write it like 1990-12-31, or declare how it is written under columns: ${example}.`,
  }
}
