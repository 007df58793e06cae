// Resolves the command-line argument WHO, which is the id of an issuance or a value that identifies a person. Finds
// every kind of match hash. Finds identities only if they consist of a single e-mail address, phone number or register
// number, because an identity of several fields cannot be computed from one value.

import type { Hasher, MatchKind } from '#src/domain/credential/identity-hasher.ts'
import type { Ledger } from './ledger.ts'

/**
 * Returns the id of an issuance, or hashes for finding a person. The hashes also find people whose data have been
 * removed.
 */
export function resolveRecipient(ledger: { hasher: Hasher }, who: string): { id: number } | { hashes: Buffer[] } {
  const id = /^i(\d{1,15})$/.exec(who)
  if (id) return { id: Number(id[1]) }
  const { hasher } = ledger
  const kinds: MatchKind[] = ['email', 'phone', 'reg_no', 'uid', 'unique_no', 'cert_no', 'membership_id']
  const asIdentity = ['Email', 'Contact Number', 'Register Number'].map((field) => hasher.identity({ [field]: who }))
  return { hashes: [...kinds.map((kind) => hasher.match(kind, who)), ...asIdentity] }
}

/**
 * Finds the issuances of WHO, which may also be a credential id or a learner's id. Also finds rows from other sources
 * that have no issuance yet.
 */
export async function findRecipient(ledger: Pick<Ledger, 'hasher' | 'issuances' | 'elsewhere'>, who: string) {
  const search = resolveRecipient(ledger, who)
  if ('id' in search) return { found: await ledger.issuances.explain(search), waiting: [] }
  const { issuances: ids, waiting } = await ledger.elsewhere.ofPerson(who)
  return { found: await ledger.issuances.explain({ ...search, credential: who, ids }), waiting }
}
