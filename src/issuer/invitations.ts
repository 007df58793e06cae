// Sends an invitation, JSON or form: the prepared bytes, once.

import type { Endpoint } from './endpoint.ts'
import type { PreparedInvitation } from './invitation-body.ts'
import type { Outcome } from './outcome.ts'
import { routeTo } from './routes.ts'
import type { Send, SendOptions } from './sending.ts'

export type InviteOptions = SendOptions

/** One send; see Send for what becomes of it. */
export type Invite = (prepared: PreparedInvitation, options: InviteOptions) => Promise<Outcome>

export function openInvitations(endpoint: Endpoint, send: Send): Invite {
  return ({ body }, options) => send(endpoint, { ...routeTo('invite'), body }, options)
}
