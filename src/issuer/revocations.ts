// Revokes a credential: one call, whose outcome may be unknown like that of an invitation.

import type { Endpoint } from './endpoint.ts'
import type { Outcome } from './outcome.ts'
import { routeTo } from './routes.ts'
import type { Send, SendOptions } from './sending.ts'

/**
 * Revokes the credential with this credential_id (digit groups, as the report shows it). Never rejects; see Send. The answer's form is not
 * documented: `accepted` is said only of an envelope that says 200, anything else under HTTP 200 is `unknown`. The report's revoked_date decides then.
 * Default of `deadlineMs`: 60 000.
 */
export type RevokeCredential = (credentialId: string, options?: Partial<SendOptions>) => Promise<Outcome>

export function openRevocations(endpoint: Endpoint, send: Send): RevokeCredential {
  return (credentialId, options) => {
    const body = JSON.stringify({ credential_id: credentialId })
    return send(endpoint, { ...routeTo('revoke'), body }, { deadlineMs: 60_000, ...options })
  }
}
