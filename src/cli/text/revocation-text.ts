// Describes a revocation in words, and the person behind a credential, masked. Pure.

import { type FieldRole, keyWithRole } from '#src/domain/recipient/field-role.ts'
import { maskValue } from '#src/domain/recipient/mask-value.ts'
import type { Revocation, RevocationState } from '#src/ledger/revocations/revocation.ts'
import type { RevocationToDecide } from '#src/ledger/revocations/revocation-targets.ts'

const shownRoles: readonly FieldRole[] = ['email', 'phone', 'first name', 'last name']

/** Returns `a…@e….org, A… (5 characters)`: enough to recognize the person. */
export function maskedPerson(recipient: Readonly<Record<string, string>> | null): string {
  if (!recipient) return 'a person whose data was removed'
  const keys = Object.keys(recipient)
  const values = shownRoles.flatMap((role) => recipient[keyWithRole(keys, role) ?? ''] ?? [])
  return values.length > 0 ? values.map(maskValue).join(', ') : 'a person without a name'
}

/** Does the same for an item of the report. */
export function maskedItem(item: {
  email_: string | null
  contact_number: string | null
  fname: string | null
  lname: string | null
}): string {
  const values = [item.email_, item.contact_number, item.fname, item.lname].flatMap((value) => value || [])
  return values.length > 0 ? values.map(maskValue).join(', ') : 'a person without data in the report'
}

/** Describes the state of a revocation, and what to do next. */
export function revocationStatus(revocation: Pick<Revocation, 'state' | 'status' | 'words' | 'doubt'>): string {
  const { state, status, words, doubt } = revocation
  const message = words ? `: ${words}` : ''
  const sentences: Record<RevocationState, string> = {
    wanted:
      'not sent yet: the service could not be reached, or throttled the call. `credsync start` or the same command tries it again',
    sending: 'being sent by another process',
    unconfirmed:
      'the outcome of the call is unknown; the report decides, and is read again while `credsync start` runs or by `credsync reconcile`',
    accepted: 'revoked: the service accepted it; the report will show the date',
    refused: `the service refused it (${status ?? 'no status'})${message}`,
    not_applied: 'the report proves that it was not applied; it may be revoked again',
    seen: 'revoked: the report shows it',
  }
  return doubt ? `${sentences[state]}; ${doubt}` : sentences[state]
}

/** Makes the lines of `credsync held` for a revocation. */
export function toDecideLines(row: RevocationToDecide): string[] {
  const who = row.issuanceId === null ? row.credentialId : `i${row.issuanceId}`
  const because = {
    not_applied: 'the report proves that it was not applied',
    refused: `the service refused it: ${row.words}`,
  }
  const why = row.doubt ?? because[row.state as keyof typeof because] ?? row.state
  return [
    `revocation of ${row.credentialId}${row.issuanceId === null ? '' : ` (i${row.issuanceId})`}, requested by ${row.by} at ${row.since.toISOString()}${row.why ? `: ${row.why}` : ''}`,
    `  because ${why}`,
    ...(row.corrects
      ? ['  it is the first step of a correction: the new credential is issued only after this one is revoked']
      : []),
    '  Look the credential up in the portal. Then, if it should still be revoked:',
    `    credsync revoke ${who}${row.corrects ? '      revokes it again, and continues the correction' : ''}`,
  ]
}
