// Resolves the argument WHO: the id of an issuance, or a value that identifies a person. Finds every kind of match, and
// identities that are an e-mail address, a telephone number or a register number alone; not those of several fields.

import type { Hasher, MatchKind } from '#src/domain/credential/identity-hasher.ts'
import type { Ledger } from './ledger.ts'

/** Returns hashes to find a person by, so that it also works for people whose data has been removed. */
export function resolveRecipient(ledger: { hasher: Hasher }, who: string): { id: number } | { hashes: Buffer[] } {
  const id = /^i(\d{1,15})$/.exec(who)
  if (id) return { id: Number(id[1]) }
  const { hasher } = ledger
  const kinds: MatchKind[] = ['email', 'phone', 'reg_no', 'uid', 'unique_no', 'cert_no', 'membership_id']
  const asIdentity = ['Email', 'Contact Number', 'Register Number'].map((field) => hasher.identity({ [field]: who }))
  return { hashes: [...kinds.map((kind) => hasher.match(kind, who)), ...asIdentity] }
}

/** Finds the issuances of WHO, also by a credential id or a learner, and the rows from elsewhere that have none. */
export async function findRecipient(ledger: Pick<Ledger, 'hasher' | 'issuances' | 'elsewhere'>, who: string) {
  const search = resolveRecipient(ledger, who)
  if ('id' in search) return { found: await ledger.issuances.explain(search), waiting: [] }
  const { issuances: ids, waiting } = await ledger.elsewhere.ofPerson(who)
  return { found: await ledger.issuances.explain({ ...search, credential: who, ids }), waiting }
}
