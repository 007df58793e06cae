// What to do about many rows that break one rule of one field, as the second line of a group in a summary. Pure. The sentence of each row
// says it more exactly: there the value, the column and the limit are known.

type Remedy = (field: string) => string

const typed = 'Type the values again in the file.'
const asText = 'Format the column as text before the values are typed, and type them again.'
const inOneLine = 'Write each of these values in one line, without tabs.'

const remedies: Readonly<Record<string, Remedy>> = {
  required: (field) =>
    `Fill it in. Where another column of the file holds it, say so: columns: { ${key(field)}: <title of the column> }.`,
  text: () => `${typed} If many are damaged, export the file as UTF-8.`,
  control_character: () => inOneLine,
  error_cell: () => 'Correct the formula, or put the value in its place.',
  number_lost_zeros: () => asText,
  number_shortened: () => asText,
  date_cell: () => asText,
  boolean_cell: () => asText,
  quotation_mark: () => 'Take the quotation marks out, or write “ and ” in their place.',
  formula: () => 'Write the values in its place: copy the column, and paste the values only.',
  apostrophe: () => 'Delete the apostrophe.',
  damaged_letters: () => 'Export the file again as UTF-8, or type the values again.',
  not_mended: () => 'Mend the row, and then empty the cell that says what was wrong with it.',
  max_length: () => 'Shorten it; the invalid rows say to how many characters.',
  email: () => 'Write one address, such as jane@example.org.',
  pattern: () => 'Correct it in the file; the invalid rows say how the course writes it, where it tells.',
  option: () => 'Write one of the options, exactly so; the invalid rows name them.',
  date: (field) =>
    `Write it like 1990-12-31, or say how the file writes it: columns: { ${key(field)}: { column: …, date: DD.MM.YYYY } }.`,
  min_date: () => 'Give the first date that the course takes, or a later one; the invalid rows name it.',
  max_date: () => 'Give the last date that the course takes, or an earlier one; the invalid rows name it.',
  min_number: () => 'Correct it; the invalid rows name the least that the course takes.',
  max_number: () => 'Correct it; the invalid rows name the most that the course takes.',
  primary_value: () => 'Write the name of a field that is filled in the same row, such as Email.',
  unique: () => 'Correct the row that has the wrong value; the invalid rows name the earlier row of each.',
  identity: () => 'Fill in the field that says who the recipient is.',
  image: () => 'Send one ZIP that holds the file and every image that it names.',
  example: () => 'Delete the row, or write the values of a person in place of the examples.',
  person_twice: () =>
    'Give both rows the same Primary Value, or take one of them out; the invalid rows name the other one.',
  identity_conflict: () => 'Find out which name is right, and send one row for each of these people.',
  'ragged-row': () => 'Look for a missing or an extra separator, or a quotation mark that is not closed.',
  'invalid-characters': () => typed,
  'lost-characters': () => `${typed} If many are damaged, export the file as UTF-8.`,
  'cell-too-long': () => 'Shorten the cell; the invalid rows name its column.',
  'formula-without-value': () => 'Open the file in a spreadsheet program, let it calculate, and save it.',
}

/**
 * What to do, as a sentence; null for a rule that has none.
 * @param field the field's display name; empty where the whole row is meant
 */
export function remedyOfRule(rule: string, field: string): string | null {
  const known = Object.hasOwn(remedies, rule) ? remedies[rule] : undefined
  return known ? known(field) : null
}

/** A field's name as a key of YAML; one that YAML would read otherwise stands in quotation marks. */
function key(field: string): string {
  if (field === '') return '<field>'
  return /^[\p{L}_][\p{L}\p{N} _-]*$/u.test(field) ? field : JSON.stringify(field)
}
