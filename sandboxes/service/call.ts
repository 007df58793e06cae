// A call and its response, independent of any web framework, so that the HTTP server and simulations use the same
// endpoints. Types and pure functions only.

import type { WireResponse } from './faults/faulty-response.ts'
import type { RecordedChange } from './journal-entry.ts'

/** A call whose body has been read. */
export interface SandboxCall {
  params: Readonly<Record<string, string>>
  body: unknown
  /** Size of the body as received. */
  bytes: number
  /** The sandbox's address as the caller used it, without a trailing slash. */
  origin: string
  /** The number of the call among those of its endpoint, from 1; the position for random numbers drawn per call. */
  nth: number
  /** Set for an invitation of which only a part is applied: returns the positions to apply. */
  portion: ((size: number) => readonly number[]) | null
  /** Records the requests that the call has created. */
  committed(recipients: number, entityUuids: readonly string[]): void
  /** Records anything else that the call has changed. */
  record(change: RecordedChange): void
}

/** The outcome: a response, or 'lost' if the connection is destroyed without one. */
export type SandboxOutcome = WireResponse | 'lost'

/** An envelope to be sent as JSON with status 200, or another kind of response. */
export type SandboxReply = { json: unknown } | WireResponse

export interface SandboxEndpoint {
  method: 'GET' | 'POST' | 'PUT'
  /** Path with `:name` for its variable parts. */
  path: string
  /**
   * Who may call the endpoint: anyone (these calls are not counted), key holders at the token rate, or token bearers.
   */
  admits: 'anyone' | 'key holders' | 'bearers'
  invites?: boolean
  /**
   * Runs the call. Returns a promise only for reading or writing a workbook; everything else is synchronous.
   * @throws SandboxRefusal
   */
  answer(call: SandboxCall): SandboxReply | Promise<SandboxReply>
}

/** Returns "POST /path" without the ids in the path, because limits and counts are per endpoint and not per course. */
export function nameOf({ method, path }: Pick<SandboxEndpoint, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\/:[^/]+/g, '')}`
}
