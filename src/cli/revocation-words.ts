// A revocation in words, and the person behind a credential, masked. Pure.

import type { Revocation, RevocationState } from '#src/ledger/revocation.ts'
import type { RevocationToDecide } from '#src/ledger/revocation-targets.ts'
import { type FieldRole, keyWithRole } from '#src/recipients/field-role.ts'
import { maskValue } from '#src/recipients/mask-value.ts'

const shownRoles: readonly FieldRole[] = ['email', 'phone', 'first name', 'last name']

/** `a…@e….org, A… (5 characters)`: enough to know the person again. */
export function maskedPerson(recipient: Readonly<Record<string, string>> | null): string {
  if (!recipient) return 'a person whose data were removed'
  const keys = Object.keys(recipient)
  const values = shownRoles.flatMap((role) => recipient[keyWithRole(keys, role) ?? ''] ?? [])
  return values.length > 0 ? values.map(maskValue).join(', ') : 'a person without a name'
}

/** The same of an item of the report. */
export function maskedItem(item: {
  email_: string | null
  contact_number: string | null
  fname: string | null
  lname: string | null
}): string {
  const values = [item.email_, item.contact_number, item.fname, item.lname].flatMap((value) => value || [])
  return values.length > 0 ? values.map(maskValue).join(', ') : 'a person whom the report does not show'
}

/** What became of one, and what to do. */
export function standingOf(revocation: Pick<Revocation, 'state' | 'status' | 'words' | 'doubt'>): string {
  const { state, status, words, doubt } = revocation
  const said = words ? `: ${words}` : ''
  const sentences: Record<RevocationState, string> = {
    wanted:
      'not sent yet: the service could not be reached, or asked for patience. `credsync start` or the same command tries it again',
    sending: 'being sent by another process',
    unconfirmed:
      'the outcome of the call is unknown; the report decides, and is asked again while `credsync start` runs or by `credsync reconcile`',
    accepted: 'revoked: the service accepted it; the report will show the date',
    refused: `the service refused it (${status ?? 'no status'})${said}`,
    not_applied: 'the report proves that it was not applied; it may be revoked again',
    seen: 'revoked: the report shows it',
  }
  return doubt ? `${sentences[state]}; ${doubt}` : sentences[state]
}

/** For `held`. */
export function toDecideLines(row: RevocationToDecide): string[] {
  const who = row.issuanceId === null ? row.credentialId : `i${row.issuanceId}`
  const because = {
    not_applied: 'the report proves that it was not applied',
    refused: `the service refused it: ${row.words}`,
  }
  const why = row.doubt ?? because[row.state as keyof typeof because] ?? row.state
  return [
    `revocation of ${row.credentialId}${row.issuanceId === null ? '' : ` (i${row.issuanceId})`}, asked for by ${row.by} at ${row.since.toISOString()}${row.why ? `: ${row.why}` : ''}`,
    `  because ${why}`,
    ...(row.corrects
      ? ['  it is the first half of a correction: the new credential is not issued before this one is revoked']
      : []),
    '  Look the credential up in the portal. Then, if it shall still be revoked:',
    `    credsync revoke ${who}${row.corrects ? '      revokes it again, and the correction goes on' : ''}`,
  ]
}
