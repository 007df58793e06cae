// Describes what is wrong with many rows: the violations of one field and rule as one line of a summary, without
// anyone's values. Pure.

import { damageInWords } from './damage/damage-kinds.ts'

type Describe = (field: string) => string

const descriptions: Readonly<Record<string, Describe>> = {
  ...Object.fromEntries([...damageInWords].map(([rule, { wrong }]) => [rule, (field: string) => `${field} ${wrong}`])),
  required: (field) => `${field} is empty, and the course requires it`,
  error_cell: (field) => `${field} is a spreadsheet error, not a value`,
  number_lost_zeros: (field) => `${field} is stored as a number by the spreadsheet, which loses leading zeros`,
  number_shortened: (field) => `${field} is a number that was shortened, and its last digits are lost`,
  number_format: (field) => `${field} is a number in a format that credsync cannot repeat exactly`,
  date_cell: (field) => `${field} is stored as a date or time by the spreadsheet, and it is not one`,
  boolean_cell: (field) => `${field} is stored as true or false by the spreadsheet, and it is neither`,
  not_mended: () => 'the row was submitted again without emptying the cell that says what is wrong',
  max_length: (field) => `${field} is too long`,
  pattern: (field) => `${field} does not have the form that the course requires`,
  option: (field) => `${field} is not among the options of the course`,
  date: (field) => `${field} is not a date`,
  min_date: (field) => `${field} is before the first date that the course allows`,
  max_date: (field) => `${field} is after the last date that the course allows`,
  min_number: (field) => `${field} is less than the course allows`,
  max_number: (field) => `${field} is more than the course allows`,
  primary_value: (field) => `${field} names no field of the course that is filled`,
  unique: (field) => `${field} is the same for another person in another row, and the course requires it to be unique`,
  identity: (field) => `${field} should identify the recipient, and its value cannot`,
  image: () => 'the row names no image that came with it',
  person_twice: () =>
    'the person is in another row, of this run or an earlier one, with a different Primary Value or another identity rule',
  identity_conflict: () => 'the same person has different names',
  other_learner: () => 'a credential of another learner, or with another name, has the same address',
  forgotten: () => 'the person was forgotten before the row was published',
  forgotten_identity: () =>
    'a person with the same address, number or identity was forgotten, or their data expired, and the row may be about another one',
  'ragged-row': () => 'the row does not have as many cells as the header',
  'invalid-characters': () => 'a cell contains characters that are not text',
  'lost-characters': () => 'a cell contains the replacement character of a letter that was lost in an earlier export',
  'cell-too-long': () => 'a cell is longer than any value may be',
  'formula-without-value': () => 'a formula has no value in the file',
}

/**
 * Returns what is wrong, as the end of "112 rows: …", without a full stop.
 * @param field the field's display name; empty if the whole row is meant
 */
export function describeRule(rule: string, field: string): string {
  const known = Object.hasOwn(descriptions, rule) ? descriptions[rule] : undefined
  if (known) return known(field === '' ? 'a value' : `“${field}”`)
  return `${field === '' ? 'the row' : `“${field}”`} breaks the rule ${rule.replaceAll(/[-_]/g, ' ')}`
}
