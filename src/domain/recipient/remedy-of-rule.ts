// Advice for rows that break one rule of one field: for many such rows, as the second line of a group in a summary, and
// for one value that a learning system sent. The sentence about a single row (violation.ts) is more exact, because it
// knows the value, the column and the limit. Pure.

import { damageInWords } from './damage/damage-kinds.ts'
import type { Breach } from './violation.ts'

/** Where a row comes from, which decides where its values can be corrected. */
export type RowOrigin = 'file' | 'learning system'

type Remedy = (field: string) => string

const typeAgain = 'Type the values again in the file.'
const asText = 'Format the column as text, and then type the values again.'

const remedies: Readonly<Record<string, Remedy>> = {
  ...Object.fromEntries([...damageInWords].map(([rule, { remedy }]) => [rule, () => remedy])),
  required: (field) =>
    `Fill in the value. If another column of the file contains the value, declare that: columns: { ${key(field)}: <title of the column> }.`,
  error_cell: () => 'Correct the formula, or replace the formula with its value.',
  number_lost_zeros: () => asText,
  number_shortened: () => asText,
  number_format: () => asText,
  date_cell: () => asText,
  boolean_cell: () => asText,
  // "Mended" is not used elsewhere, but ids of rules are a contract: they are in results files and --json.
  not_mended: () => 'Fix the row, and then empty the cell that says what was wrong with it.',
  max_length: () => 'Shorten the value; the list of invalid rows says to how many characters.',
  pattern: () => 'Correct the value in the file; the list of invalid rows shows an example, if the course has one.',
  option: () => "Write one of the course's options, exactly as the list of invalid rows shows them.",
  date: (field) =>
    `Write the date like 1990-12-31, or declare the format of the file: columns: { ${key(field)}: { column: …, date: DD.MM.YYYY } }.`,
  min_date: () =>
    'Enter the first date that the course allows, or a later date; the list of invalid rows names that first date.',
  max_date: () =>
    'Enter the last date that the course allows, or an earlier date; the list of invalid rows names that last date.',
  min_number: () => 'Correct the number; the list of invalid rows names the minimum that the course allows.',
  max_number: () => 'Correct the number; the list of invalid rows names the maximum that the course allows.',
  primary_value: () => 'Write the name of a field that has a value in the same row, such as Email.',
  unique: () =>
    'Correct the row that has the wrong value; the list of invalid rows names the earlier row with the same value.',
  identity: () => 'Fill in the field that identifies the recipient.',
  image: () => 'Send one ZIP that contains the file and every image that it names.',
  person_twice: () =>
    'Give both rows the same Primary Value, or remove one of them; the list of invalid rows names the other row.',
  identity_conflict: () => 'Find out which name is right, and send one row for each of these people.',
  other_learner: () =>
    'If they are two people, give the learner a separate address in the learning system, or have the pipeline identify people by more fields (identity). If they are one person, correct the name that is wrong. The list of invalid rows shows both names.',
  forgotten_identity: () =>
    'If they are other people, give them an address, number or identity of their own. If they are the forgotten people, run credsync forget with the name of the row. To issue a forgotten person again, run credsync forget --release; the list of invalid rows says of whom.',
  'ragged-row': () => 'Look for a missing or extra separator, or a quotation mark that is not closed.',
  'invalid-characters': () => typeAgain,
  'lost-characters': () => `${typeAgain} If many are damaged, export the file as UTF-8.`,
  'cell-too-long': () => 'Shorten the cell; the list of invalid rows names its column.',
  'formula-without-value': () => 'Open the file in a spreadsheet program, let it calculate, and save it.',
}

const correctInSystem = 'Correct the value in the learning system.'

/** Rules about damage that may have been done by the program that wrote the file. */
const damaged = [
  'text',
  'control_character',
  'error_cell',
  'number_shortened',
  'formula',
  'damaged_letters',
  'markup',
  'escaped',
  'placeholder',
  'nothing',
  'enclosed',
  'no_letter',
  'unusual_character',
]

const completionRemedies: Readonly<Record<string, Remedy>> = {
  ...Object.fromEntries(damaged.map((rule) => [rule, () => correctInSystem])),
  control_character: () => 'In the learning system, write the value on one line, without tabs.',
  required: (field) =>
    `Fill in the value in the learning system. If another column of a completion contains the value, declare that: columns: { ${key(field)}: <title of the column> }.`,
  pattern: () => `${correctInSystem} The list of invalid rows shows an example, if the course has one.`,
  date: (field) =>
    `In the learning system, write the date like 1990-12-31, or declare the format of the system: columns: { ${key(field)}: { column: …, date: DD.MM.YYYY } }.`,
  unique: () =>
    'In the learning system, correct the value that is wrong; the list of invalid rows names the earlier row with the same value.',
  image: () => 'A completion has no image: empty the column, or remove it from batch.imageColumn.',
  person_twice: () =>
    'If they are one person, that person has the credential already. If not, have the pipeline identify people by more fields (identity).',
  identity_conflict: () =>
    'Find out which name is right and correct the other one in the learning system, or give each learner a separate address there.',
}

/**
 * Returns the advice as a sentence; null for a rule without advice.
 * @param field the field's display name; empty if the whole row is meant
 */
export function remedyOfRule(rule: string, field: string, origin: RowOrigin = 'file'): string | null {
  const known = [...(origin === 'file' ? [] : [completionRemedies]), remedies].find((each) => Object.hasOwn(each, rule))
  return known?.[rule]?.(field) ?? null
}

/**
 * Returns the remedy for one value. A damaged value that came from a learning system is to be corrected in that system.
 */
export function remedyOfBreach({ rule, remedy }: Breach, origin: RowOrigin): string {
  return origin === 'learning system' && damaged.includes(rule) ? (remedyOfRule(rule, '', origin) ?? remedy) : remedy
}

/** Returns a field's name as a YAML key, quoted if YAML would misread it. */
function key(field: string): string {
  if (field === '') return '<field>'
  return /^[\p{L}_][\p{L}\p{N} _-]*$/u.test(field) ? field : JSON.stringify(field)
}
