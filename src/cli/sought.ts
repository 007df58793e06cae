// Whom a command's user means: an issuance by its id, or a person by whatever the ledger may know them by.

import type { MatchKind } from '#src/issuance/identity.ts'
import type { Ledger } from '#src/ledger/ledger.ts'

/** A person is found by hash, so that this works for people whose data was removed, too. */
export function sought(ledger: Pick<Ledger, 'hasher'>, who: string): { id: number } | { hashes: Buffer[] } {
  const id = /^i(\d{1,15})$/.exec(who)
  if (id) return { id: Number(id[1]) }
  const { hasher } = ledger
  const kinds: MatchKind[] = ['email', 'phone', 'reg_no', 'uid', 'unique_no', 'cert_no', 'membership_id']
  const asIdentity = ['Email', 'Contact Number', 'Register Number'].map((field) => hasher.identity({ [field]: who }))
  return { hashes: [...kinds.map((kind) => hasher.match(kind, who)), ...asIdentity] }
}
