// What many rows have wrong, in a few words: the violations of one field and rule as one line of a summary. Pure, and without a
// value of anybody's.

type Words = (field: string) => string

const words: Readonly<Record<string, Words>> = {
  required: (field) => `${field} is empty, and the course requires it`,
  example: () => 'the row is the example of a template',
  text: (field) => `${field} has characters that were damaged on the way into the file`,
  control_character: (field) => `${field} has a line break, a tab or a control character in it`,
  error_cell: (field) => `${field} is an error of the spreadsheet and not a value`,
  number_lost_zeros: (field) => `${field} is kept as a number by the spreadsheet, which loses leading zeros`,
  number_shortened: (field) => `${field} is a number that was shortened, and its last digits are lost`,
  date_cell: (field) => `${field} is kept as a date or time by the spreadsheet, and it is none`,
  boolean_cell: (field) => `${field} is kept as true or false by the spreadsheet, and it is neither`,
  quotation_mark: (field) => `${field} has quotation marks that the file does not write rightly`,
  formula: (field) => `${field} is a formula that was not calculated`,
  apostrophe: (field) => `${field} begins with the apostrophe that keeps a spreadsheet from calculating`,
  damaged_letters: (field) => `${field} has letters that were read in a wrong encoding on the way into the file`,
  not_mended: () => 'the row came back with the mark that says what is to be mended',
  max_length: (field) => `${field} is too long`,
  email: (field) => `${field} is not an e-mail address`,
  pattern: (field) => `${field} is not written as the course wants it`,
  option: (field) => `${field} is not among the options of the course`,
  date: (field) => `${field} is not a date`,
  min_date: (field) => `${field} is before the first date the course takes`,
  max_date: (field) => `${field} is after the last date the course takes`,
  min_number: (field) => `${field} is less than the course takes`,
  max_number: (field) => `${field} is more than the course takes`,
  primary_value: (field) => `${field} names no field of the course that is filled`,
  unique: (field) => `${field} is what another row has for somebody else, and the course wants it to be unique`,
  identity: (field) => `${field} says who the recipient is, and nothing there can tell`,
  image: () => 'the row names no image that came with the file',
  person_twice: () =>
    'the person stands in another row of this file, or of an earlier one, by another Primary Value or another rule of identity',
  identity_conflict: () => 'the same person is named by different names',
  'ragged-row': () => 'the row does not have as many cells as the header',
  'invalid-characters': () => 'a cell holds characters that are not text',
  'lost-characters': () => 'a cell holds the mark of a letter that was lost in an earlier export',
  'cell-too-long': () => 'a cell is longer than any value may be',
  'formula-without-value': () => 'a formula has no value in the file',
}

/**
 * What is wrong, as the end of "112 rows: …", without a full stop.
 * @param field the field's display name; empty where the whole row is meant
 */
export function wordsOfRule(rule: string, field: string): string {
  const known = Object.hasOwn(words, rule) ? words[rule] : undefined
  if (known) return known(field === '' ? 'a value' : `“${field}”`)
  return `${field === '' ? 'the row' : `“${field}”`} breaks the rule ${rule.replaceAll(/[-_]/g, ' ')}`
}
