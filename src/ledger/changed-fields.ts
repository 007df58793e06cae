// Which fields a row fills otherwise than the credential that is known by its key: SQL for the publication of a run.
//
// In the database, because a full list names a million people each night, and fetching them to compare them takes longer than the rest.

import { type FieldRole, roleOfName } from '#src/recipients/field-role.ts'
import { idleInSql } from '#src/recipients/unseen-marks.ts'

// What JavaScript trims.
const blanks = `U&' \\0009\\000A\\000B\\000C\\000D\\00A0\\1680\\2000\\2001\\2002\\2003\\2004\\2005\\2006\\2007\\2008\\2009\\200A\\2028\\2029\\202F\\205F\\3000\\FEFF'`
// Cells are cleaned and composed when they are checked; rows of earlier versions, and of whoever fills a ledger next, may not be.
const plain = (value: string) => `normalize(btrim(regexp_replace(${value}, '${idleInSql}', '', 'g'), ${blanks}), NFC)`

/**
 * Two spellings of one address or number are no change: they fit one key, and a list written by another system would otherwise be nothing but
 * corrections. A value counts as a number only where it is written like one, so that what else stands in such a field is compared as text. The
 * case of A to Z only: that of other letters depends on the locale of the database. `comparableValue` of src/issuance is the same.
 */
const comparable = (field: string, value: string, { phones, emails }: RoleParameters) => `CASE
  WHEN ${field} = ANY(${phones}::text[]) AND ${plain(value)} ~ '^[-0-9 +()./]*[0-9][-0-9 +()./]*$' THEN ltrim(regexp_replace(${value}, '[^0-9]', '', 'g'), '0')
  WHEN ${field} = ANY(${emails}::text[]) THEN lower(${plain(value)} COLLATE "C")
  ELSE ${plain(value)} END`

const folded = (value: string) =>
  `btrim(lower(regexp_replace(normalize(regexp_replace(${value}, '${idleInSql}', '', 'g'), NFKC), '\\s+', ' ', 'g')))`

/** With or without the dial code: which of them the report shows is not documented. */
const sameNumber = (field: string, one: string, other: string, { phones }: RoleParameters) => {
  const digits = (value: string) => `ltrim(regexp_replace(${value}, '[^0-9]', '', 'g'), '0')`
  const ends = (a: string, b: string) => `right(${digits(a)}, length(${digits(b)})) = ${digits(b)}`
  return `(${field} = ANY(${phones}::text[]) AND least(length(${digits(one)}), length(${digits(other)})) >= 5 AND (${ends(one, other)} OR ${ends(other, one)}))`
}

/** Which parameters of the statement, such as `$3`, are the names of the fields that hold numbers and addresses. */
export interface RoleParameters {
  phones: string
  emails: string
}

/** The values of those parameters: of the fields with these names, those for numbers and those for addresses. */
export function namesByRole(names: Iterable<string>): { phones: string[]; emails: string[] } {
  const all = [...names]
  const having = (role: FieldRole) => all.filter((name) => roleOfName(name) === role)
  return { phones: having('phone'), emails: having('email') }
}

/**
 * SQL: the names of the fields that `fresh` fills and `known` does not fill alike, in order, as text[]; null when there are none. A field that is
 * not filled any more does not count: the pipeline may have stopped sending it.
 * @param partial whether the known recipient is only what the report shows (boolean): a field that it does not hold is then unknown and not empty,
 * and what differs in case, spaces or a dial code is what a service may have tidied (src/reconcile/compare-person.ts)
 * @param fresh a recipient (jsonb), as the file fills it
 * @param known the recipient of the known credential; null once the person was forgotten, and then nothing differs
 */
export const changedFields = (fresh: string, known: string, roles: RoleParameters, partial = 'false') => {
  const before = `coalesce(${known}->>f.name, '')`
  return `CASE WHEN ${known} <> ${fresh} THEN (
  SELECT array_agg(f.name ORDER BY f.name COLLATE "C") FROM jsonb_each_text(${fresh}) f(name, value)
  -- The plain comparison first: it is free, and settles nearly all fields.
  WHERE f.value <> ${before} AND ${plain('f.value')} <> '' AND ${comparable('f.name', 'f.value', roles)} <> ${comparable('f.name', before, roles)}
    AND NOT (${partial} AND (${before} = '' OR ${folded('f.value')} = ${folded(before)} OR ${sameNumber('f.name', 'f.value', before, roles)}))) END`
}

/** SQL: `First Name differs`, `Birth Date, First Name and Title differ`. */
export const differing = (fields: string) => `CASE WHEN cardinality(${fields}) = 1 THEN ${fields}[1] || ' differs'
  ELSE array_to_string(${fields}[1:cardinality(${fields}) - 1], ', ') || ' and ' || ${fields}[cardinality(${fields})] || ' differ' END`
