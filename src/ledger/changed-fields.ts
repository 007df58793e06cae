// Which fields a row fills otherwise than the credential that is known by its key: SQL for the publication of a run.
//
// In the database, because a full list names a million people each night, and fetching them to compare them takes longer than the rest.

// Cells are trimmed and composed when they are checked; rows of earlier versions, and of whoever fills a ledger next, may not be.
const blanks = `U&' \\0009\\000A\\000B\\000C\\000D\\00A0\\FEFF\\2002\\2003\\2009\\202F\\3000'`

/**
 * Two spellings of one address or number are no change: they fit one key, and a list written by another system would otherwise be nothing but
 * corrections. A value counts as a number only where it is written like one, so that a contact's name or street is compared as text. Fields are told by
 * name as src/recipients/field-role.ts does.
 */
const comparable = (field: string, value: string) => `CASE
  WHEN ${field} ~* 'phone|mobile|contact' AND ${value} ~ '^[-0-9 +()./]*[0-9][-0-9 +()./]*$' THEN ltrim(regexp_replace(${value}, '[^0-9]', '', 'g'), '0')
  WHEN ${field} ~* '^[\\s_]*e-?mail[\\s_]*(address|id)?[\\s_]*$' THEN lower(normalize(btrim(${value}, ${blanks}), NFC))
  ELSE normalize(btrim(${value}, ${blanks}), NFC) END`

/**
 * SQL: the names of the fields that `fresh` fills and `known` does not fill alike, in order, as text[]; null when there are none. A field that is
 * not filled any more does not count: the pipeline may have stopped sending it.
 * @param fresh a recipient (jsonb), as the file fills it
 * @param known the recipient of the known credential; null once the person was forgotten, and then nothing differs
 */
export const changedFields = (fresh: string, known: string) => `CASE WHEN ${known} <> ${fresh} THEN (
  SELECT array_agg(f.name ORDER BY f.name COLLATE "C") FROM jsonb_each_text(${fresh}) f(name, value)
  -- The plain comparison first: it is free, and settles nearly all fields.
  WHERE f.value <> coalesce(${known}->>f.name, '') AND btrim(f.value, ${blanks}) <> '' AND ${comparable('f.name', 'f.value')} <> ${comparable('f.name', `coalesce(${known}->>f.name, '')`)}) END`

/** SQL: `First Name differs`, `Birth Date, First Name and Title differ`. */
export const differing = (fields: string) => `CASE WHEN cardinality(${fields}) = 1 THEN ${fields}[1] || ' differs'
  ELSE array_to_string(${fields}[1:cardinality(${fields}) - 1], ', ') || ' and ' || ${fields}[cardinality(${fields})] || ' differ' END`
