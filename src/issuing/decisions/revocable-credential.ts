// Finds the credential that an operator wants to revoke, and describes who holds it, or why it cannot be revoked. Reads
// the ledger; a credential that the ledger does not know is looked up in the credential report.

import { maskedItem, maskedPerson } from '#src/issuing/descriptions/masked-person.ts'
import { findCredential, type LookupTools } from '#src/issuing/reconcile/look-up-revocation.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { RevocationTarget } from '#src/ledger/revocations/revocation-targets.ts'

/** Identifies a credential by its own id, or by the id of its issuance. */
export type CredentialName = { issuance: number } | { credential: string }

export interface RevocableCredential {
  credentialId: string
  /** The ledger's data about the credential; null if it is not in the ledger. */
  target: RevocationTarget | null
  /** The person who holds the credential, masked. */
  line: string
}

export interface NotRevocable {
  credentialId: string | null
  isRevoked: boolean
  /** Why the credential cannot be revoked. */
  sentence: string
}

export interface CredentialSource {
  ledger: Pick<Ledger, 'revocations' | 'environment'>
  issuer: LookupTools['issuer']
  tuning: { pageSize: number }
}

/** Reads the id of a credential or of an issuance; null if the text is neither. Pure. */
export function readCredentialName(text: string): CredentialName | null {
  const issuance = /^i(\d{1,15})$/.exec(text)
  if (issuance) return { issuance: Number(issuance[1]) }
  return /^\d[\d-]{2,60}$/.test(text) ? { credential: text } : null
}

export async function findRevocable(
  { ledger, issuer, tuning }: CredentialSource,
  name: CredentialName,
): Promise<RevocableCredential | NotRevocable> {
  const query =
    'issuance' in name
      ? { issuances: [name.issuance], credentials: [] }
      : { issuances: [], credentials: [name.credential] }
  const [target] = await ledger.revocations.targets(query)
  if (target) return checkTarget(target)
  if ('issuance' in name)
    return {
      ...{ credentialId: null, isRevoked: false },
      sentence: `the ledger has no i${name.issuance} for ${ledger.environment}. Nothing was changed.`,
    }
  // A credential that neither the ledger nor the report shows cannot be revoked, because nobody could verify whose it
  // is.
  const [item] = await findCredential(issuer, name.credential, tuning.pageSize)
  if (!item)
    return {
      ...{ credentialId: null, isRevoked: false },
      sentence: 'this credential is neither in the ledger nor in the report of the service. Check the id.',
    }
  if (item.revoked_date)
    return {
      ...{ credentialId: name.credential, isRevoked: true },
      sentence: `it is already revoked (${item.revoked_date}).`,
    }
  const line = `${maskedItem(item)}; issued ${item.issue_date ?? 'on a day that the report does not show'}; not from this ledger`
  return { credentialId: name.credential, target: null, line }
}

function checkTarget(target: RevocationTarget): RevocableCredential | NotRevocable {
  const { issuanceId, credentialId, state, issueDate, revokedDate, pipeline, revocation, correctionWaits } = target
  if (state === 'revoked')
    return { credentialId, isRevoked: true, sentence: `it is already revoked (${revokedDate ?? 'date unknown'}).` }
  if (!credentialId || state !== 'issued')
    return {
      ...{ credentialId, isRevoked: false },
      sentence: `it is ${state}, and only an issued credential can be revoked. Nothing was changed.`,
    }
  const earlierAttemptNote =
    revocation === 'not_applied' || revocation === 'refused' ? '; an earlier revocation had no effect' : ''
  const correctionNote = correctionWaits ? '; the corrected credential is issued in its place' : ''
  const line = `${maskedPerson(target.recipient)}; credential ${credentialId} of ${pipeline}, issued ${issueDate ?? '(no date)'} (i${issuanceId})${earlierAttemptNote}${correctionNote}`
  return { credentialId, target, line }
}
