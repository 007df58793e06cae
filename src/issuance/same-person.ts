// Whether two records that the report could not tell apart are one person under two rules of identity. Pure.

import { roleOfName } from '#src/recipients/field-role.ts'
import { foldedName } from './folded-text.ts'
import { normalisePhone, normaliseText } from './identity.ts'
import { primaryField } from './person.ts'

type Recipient = Readonly<Record<string, string>>

/** Display names of fields, as the pipeline has them today. */
export interface TellingApart {
  /** Those that say who; empty: the one that the record's Primary Value names. */
  identity: readonly string[]
  /** Those that make a second credential for the same person legitimate. */
  occurrence: readonly string[]
  nameFields: readonly string[]
}

/**
 * By the fields that say who today: where the known record has them all they decide, so that a father and a son at one address stay two. Where it lacks
 * one, because it was made by another rule, the names do.
 * @param known a record of the same course with the same address, number or correlated value, and under another key
 */
export function isSamePerson(known: Recipient, fresh: Recipient, of: TellingApart): boolean {
  const same = (field: string) => folded(field, known[field]) === folded(field, fresh[field])
  if (!of.occurrence.every(same)) return false
  const fields = of.identity.length > 0 ? of.identity : [primaryField(fresh)]
  if (fields.every((field) => known[field])) return fields.every(same)
  const nameOf = (recipient: Recipient) => foldedName(of.nameFields.map((field) => recipient[field] ?? ''))
  return nameOf(known) === nameOf(fresh)
}

function folded(field: string, value = ''): string {
  return roleOfName(field) === 'phone' ? normalisePhone(value) : normaliseText(value)
}
