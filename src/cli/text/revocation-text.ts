// Lists a revocation that needs a decision, for the terminal. Pure.

import { whyToDecide } from '#src/issuing/descriptions/revocation-status.ts'
import type { RevocationToDecide } from '#src/ledger/revocations/revocation-targets.ts'

/** Makes the lines of `credsync held` for a revocation. */
export function toDecideLines(row: RevocationToDecide): string[] {
  const who = row.issuanceId === null ? row.credentialId : `i${row.issuanceId}`
  return [
    `revocation of ${row.credentialId}${row.issuanceId === null ? '' : ` (i${row.issuanceId})`}, requested by ${row.by} at ${row.since.toISOString()}${row.why ? `: ${row.why}` : ''}`,
    `  because ${whyToDecide(row)}`,
    ...(row.corrects
      ? ['  it is the first step of a correction: the new credential is issued only after this one is revoked']
      : []),
    '  Look the credential up in the portal. Then, if it should still be revoked:',
    `    credsync revoke ${who}${row.corrects ? '      revokes it again, and continues the correction' : ''}`,
  ]
}
