// Sends a prepared invitation to the service once, as JSON or as a form.

import type { Endpoint } from '../endpoint.ts'
import { routeTo } from '../routes.ts'
import type { PreparedInvitation } from './invitation-body.ts'
import type { Outcome } from './outcome.ts'
import type { SendChange, SendOptions } from './send-change.ts'

export type InviteOptions = SendOptions

/** Sends once; see SendChange for the outcome. */
export type Invite = (prepared: PreparedInvitation, options: InviteOptions) => Promise<Outcome>

export function openInvitations(endpoint: Endpoint, send: SendChange): Invite {
  return ({ body }, options) => send(endpoint, { ...routeTo('invite'), body }, options)
}
