// Describes what a course expects in a field, in sentences for people who fill in a table. Pure.

import { type Field, isChoiceField, isDateField } from './field.ts'
import { roleOf } from './field-role.ts'
import { isIdentifierColumn } from './identifier-column.ts'

const maxOptions = 30

/** @param dateFormat the format that the configuration declares for the field's column; null for YYYY-MM-DD */
export function notesOnField(field: Field, dateFormat: string | null): string[] {
  const { required, unique, maxLength, min, max, regex, options } = field
  const isDate = isDateField(field) || dateFormat !== null
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
