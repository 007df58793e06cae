// Resolves the word with which a user names an issuance (its id) or a person (any value that the ledger may have
// hashed).

import type { MatchKind } from '#src/domain/credential/identity-hasher.ts'
import type { Ledger } from '#src/ledger/ledger.ts'

/** Finds a person by hashes, so that it also works for people whose data was removed. */
export function resolveRecipient(ledger: Pick<Ledger, 'hasher'>, who: string): { id: number } | { hashes: Buffer[] } {
  const id = /^i(\d{1,15})$/.exec(who)
  if (id) return { id: Number(id[1]) }
  const { hasher } = ledger
  const kinds: MatchKind[] = ['email', 'phone', 'reg_no', 'uid', 'unique_no', 'cert_no', 'membership_id']
  const asIdentity = ['Email', 'Contact Number', 'Register Number'].map((field) => hasher.identity({ [field]: who }))
  return { hashes: [...kinds.map((kind) => hasher.match(kind, who)), ...asIdentity] }
}
