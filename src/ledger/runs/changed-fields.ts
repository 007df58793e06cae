// Builds the SQL that finds the fields in which a row differs from the known credential with the same key. Used when a
// run is published. Pure.
//
// The comparison is done in the database, because a full list may contain a million people every night, and fetching
// them would take longer than everything else.

import { type FieldRole, roleOfName } from '#src/domain/recipient/field-role.ts'
import { idleMarksInSql } from '#src/domain/recipient/invisible-characters.ts'

// The characters that JavaScript's trim removes.
const blanks = `U&' \\0009\\000A\\000B\\000C\\000D\\00A0\\1680\\2000\\2001\\2002\\2003\\2004\\2005\\2006\\2007\\2008\\2009\\200A\\2028\\2029\\202F\\205F\\3000\\FEFF'`
// Checked cells are already trimmed and normalized; rows written by earlier versions or by other programs may not be.
const normalized = (value: string) =>
  `normalize(btrim(regexp_replace(${value}, '${idleMarksInSql}', '', 'g'), ${blanks}), NFC)`

/**
 * SQL: the normalized form of the value for the comparison. Two spellings of the same address or phone number do not
 * count as a change, because they have the same key. Otherwise, every row of a list from another system might look like
 * a correction. A value counts as a phone number only if it is written like one. Anything else in such a field is
 * compared as text. Case is ignored for A to Z only, because the case of other letters depends on the database's
 * locale. `comparableValue` in src/domain/credential does the same.
 */
const comparable = (field: string, value: string, { phones, emails }: RoleParameters) => `CASE
  WHEN ${field} = ANY(${phones}::text[]) AND ${normalized(value)} ~ '^[-0-9 +()./]*[0-9][-0-9 +()./]*$' THEN ltrim(regexp_replace(${value}, '[^0-9]', '', 'g'), '0')
  WHEN ${field} = ANY(${emails}::text[]) THEN lower(${normalized(value)} COLLATE "C")
  ELSE ${normalized(value)} END`

/** SQL: the value with case, white space and Unicode variants normalized. */
const folded = (value: string) =>
  `btrim(lower(regexp_replace(normalize(regexp_replace(${value}, '${idleMarksInSql}', '', 'g'), NFKC), '\\s+', ' ', 'g')))`

/**
 * SQL: whether two values are the same phone number, with or without its dial code. The service does not document which
 * of the two forms the report shows.
 */
const sameNumber = (field: string, one: string, other: string, { phones }: RoleParameters) => {
  const digits = (value: string) => `ltrim(regexp_replace(${value}, '[^0-9]', '', 'g'), '0')`
  const ends = (a: string, b: string) => `right(${digits(a)}, length(${digits(b)})) = ${digits(b)}`
  return `(${field} = ANY(${phones}::text[]) AND least(length(${digits(one)}), length(${digits(other)})) >= 5 AND (${ends(one, other)} OR ${ends(other, one)}))`
}

/**
 * The statement's parameters, such as `$3`, for the names of the phone number fields and of the e-mail address fields.
 */
export interface RoleParameters {
  phones: string
  emails: string
}

/** Returns the values of those parameters: the names of the phone number fields and of the e-mail address fields. */
export function namesByRole(names: Iterable<string>): { phones: string[]; emails: string[] } {
  const all = [...names]
  const namesWith = (role: FieldRole) => all.filter((name) => roleOfName(name) === role)
  return { phones: namesWith('phone'), emails: namesWith('email') }
}

/**
 * SQL: the sorted names of the fields that `fresh` fills and in which `known` differs, as text[], or null if there are
 * none. A field that `fresh` no longer fills does not count, because the pipeline may have stopped sending it.
 * @param fresh the recipient from the file (jsonb)
 * @param known the recipient of the known credential; null once the person's data have been deleted, in which case
 * nothing differs
 * @param partial whether the known recipient contains only what the report shows (boolean). A missing field is then
 * unknown rather than empty, and differences in case, spaces or dial code may come from the service
 * (src/issuing/reconcile/compare-person.ts)
 */
export const changedFields = (fresh: string, known: string, roles: RoleParameters, partial = 'false') => {
  const before = `coalesce(${known}->>f.name, '')`
  return `CASE WHEN ${known} <> ${fresh} THEN (
  SELECT array_agg(f.name ORDER BY f.name COLLATE "C") FROM jsonb_each_text(${fresh}) f(name, value)
  -- The plain comparison comes first, because it costs nothing and is enough for nearly all fields.
  WHERE f.value <> ${before} AND ${normalized('f.value')} <> '' AND ${comparable('f.name', 'f.value', roles)} <> ${comparable('f.name', before, roles)}
    AND NOT (${partial} AND (${before} = '' OR ${folded('f.value')} = ${folded(before)} OR ${sameNumber('f.name', 'f.value', before, roles)}))) END`
}

/** SQL: a clause such as `First Name differs` or `Birth Date, First Name and Title differ`. */
export const differingClause = (fields: string) => `CASE WHEN cardinality(${fields}) = 1 THEN ${fields}[1] || ' differs'
  ELSE array_to_string(${fields}[1:cardinality(${fields}) - 1], ', ') || ' and ' || ${fields}[cardinality(${fields})] || ' differ' END`
