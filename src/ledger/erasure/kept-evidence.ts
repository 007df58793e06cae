// SQL that keeps of what is stored about a person only what names nobody: ids, states, dates, codes, rules and names of
// fields.

/** What a line of the history keeps of its evidence: ids, states, dates, codes and names of fields. */
const keptEvidence = [
  ...['as', 'at', 'attempt', 'batch', 'by', 'cap', 'code', 'corrects', 'credential', 'erasure', 'fields', 'item'],
  ...['label', 'looks', 'outcome', 'requestDate', 'revocation', 'row', 'run', 'status', 'system'],
]
/** What an invalid row keeps of each problem. */
const keptOfViolation = ['row', 'column', 'letters', 'field', 'rule', 'known', 'trace']

/** SQL: the JSON object `object` with only the keys of the list. */
const onlyKeys = (object: string, keys: readonly string[]) =>
  `(SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(${object}) WHERE key IN (${keys.map((key) => `'${key}'`).join(', ')}))`

/** SQL: what is kept of the evidence. */
export const keptOfEvidence = (evidence: string) => onlyKeys(evidence, keptEvidence)

/** SQL: what is kept of the problems of an invalid row; null if there are none. */
export const keptOfViolations = (violations: string) =>
  `(SELECT jsonb_agg(${onlyKeys('v', keptOfViolation)} || '{"value": "", "sentence": ""}') FROM jsonb_array_elements(${violations}) v)`
