// One call and its answer, free of any web framework, so that a socket and a simulation come through the same doors.

import type { Deed } from './journal-entry.ts'
import type { WireAnswer } from './mischief/spoiled-answer.ts'

/** A call whose body has been read. */
export interface Call {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  /** Size of the body as it came. */
  bytes: number
  /** Address under which the caller reached the sandbox, without a trailing slash. */
  origin: string
  /** Its number among the calls of its endpoint, from 1; the position for everything drawn by call. */
  nth: number
  /** Set for an invitation of which a part is to be taken: the positions out of so many. */
  portion: ((size: number) => readonly number[]) | null
  /** To be told about the requests that the call has made. */
  committed(recipients: number, entityUuids: readonly string[]): void
  /** To be told what else the call has changed. */
  did(deed: Deed): void
}

/** What comes back: an answer, or nothing because the connection was destroyed. */
export type Outcome = WireAnswer | 'lost'

/** An envelope to be sent as JSON with 200, or an answer of another kind. */
export type Reply = { json: unknown } | WireAnswer

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT'
  /** Path with `:name` for its changing parts. */
  path: string
  /** Who may come: anybody (not counted either), anybody at the token rate, or the bearer of a token. */
  admits: 'anybody' | 'key holders' | 'bearers'
  invites?: boolean
  /** What takes a moment (reading or writing a workbook) is a promise; everything else is carried out at once. @throws Refusal */
  answer(call: Call): Reply | Promise<Reply>
}

/** "POST /path", without the ids in the path: limits and counts are per endpoint, not per course. */
export function nameOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\/:[^/]+/g, '')}`
}
