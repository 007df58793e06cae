// Decides whether two records that the report cannot tell apart are the same person, although they were identified
// under different rules. Pure.

import { roleOfName } from '#src/domain/recipient/field-role.ts'
import { normalizePhone, normalizeText } from './identity-hasher.ts'
import { primaryField } from './person-hashes.ts'
import { foldedName } from './person-index.ts'

type Recipient = Readonly<Record<string, string>>

/** Display names of fields, as the pipeline configures them now. */
export interface PersonComparison {
  /** The identity fields; if empty, the field that the record's Primary Value names. */
  identity: readonly string[]
  /** The fields that make a second credential for the same person legitimate. */
  occurrence: readonly string[]
  nameFields: readonly string[]
}

/**
 * Compares the two by the current identity fields. If the known record has all of them, they decide, so that a father
 * and a son at one address remain two people. If it lacks one, because it was made under another rule, the names
 * decide.
 * @param known a record of the same course with the same address, number or correlated value, under another key
 */
export function isSamePerson(known: Recipient, fresh: Recipient, comparison: PersonComparison): boolean {
  const same = (field: string) => folded(field, known[field]) === folded(field, fresh[field])
  if (!comparison.occurrence.every(same)) return false
  const fields = comparison.identity.length > 0 ? comparison.identity : [primaryField(fresh)]
  if (fields.every((field) => known[field])) return fields.every(same)
  const nameOf = (recipient: Recipient) => foldedName(comparison.nameFields.map((field) => recipient[field] ?? ''))
  return nameOf(known) === nameOf(fresh)
}

function folded(field: string, value = ''): string {
  return roleOfName(field) === 'phone' ? normalizePhone(value) : normalizeText(value)
}
