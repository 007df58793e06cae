// Revokes a credential with one call, whose outcome may be unknown like that of an invitation.

import type { Endpoint } from '../endpoint.ts'
import { routeTo } from '../routes.ts'
import type { Outcome } from './outcome.ts'
import type { SendChange, SendOptions } from './send-change.ts'

/**
 * Revokes the credential with this credential_id (groups of digits, as the report shows it). Never rejects; see
 * SendChange. The format of the answer is not documented, so only an envelope with status 200 is `accepted`. Any other
 * HTTP 200 answer is `unknown`, and the report's revoked_date decides. Default of `deadlineMs`: 60 000.
 */
export type RevokeCredential = (credentialId: string, options?: Partial<SendOptions>) => Promise<Outcome>

export function openRevocations(endpoint: Endpoint, send: SendChange): RevokeCredential {
  return (credentialId, options) => {
    const body = JSON.stringify({ credential_id: credentialId })
    return send(endpoint, { ...routeTo('revoke'), body }, { deadlineMs: 60_000, ...options })
  }
}
