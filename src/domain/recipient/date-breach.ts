// Describes the fault of a cell that is not a date in the service's format. Pure.

import type { IsoReading } from './calendar-date.ts'
import type { PlannedField } from './column-plan.ts'
import type { Breach } from './violation.ts'

type DateFault = Extract<IsoReading, { fault: unknown }>['fault']

/** Explains what is wrong with a date and how to write it, or how to declare its format. */
export function dateBreach(fault: DateFault, kind: string | undefined, { field, source }: PlannedField): Breach {
  if (fault === 'no_such_day') {
    return { rule: 'date', wrong: 'which is not a day in the calendar', remedy: 'Correct the date.' }
  }
  if (fault === 'time') {
    const wrong = 'which has a time and not only a date'
    return { rule: 'date', wrong, remedy: 'Write the date alone, as YYYY-MM-DD, such as 1990-12-31.' }
  }
  if (kind === 'number') {
    const wrong = 'which is a number, not a date'
    return { rule: 'date', wrong, remedy: 'Format the column as a date in the spreadsheet.' }
  }
  const declared = source.kind === 'column' ? source.date : null
  if (declared) {
    const wrong = `which is not written as ${declared.text}, the format declared for this column`
    return { rule: 'date', wrong, remedy: 'Correct the date, or the format under columns.' }
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
