// The interface of a learning system that sends events. The jobs and the web server use it for every kind of system.

import type { InboundEventStore } from '#src/extensions/lms/ledger/inbound-events.ts'
import type { KeySets } from '#src/extensions/lms/webhooks/key-sets.ts'
import type { MappedEvent } from '#src/extensions/lms/webhooks/map-events.ts'
import type { Clock } from '#src/platform/time/clock.ts'

/** An unverified report that a learner completed a course. */
export type Hint = MappedEvent

/** What could be read from a stored event. */
export interface EventContents {
  hints: Hint[]
  /** A message for the operator, without values; null when the whole event was understood. */
  problem: string | null
}

export interface InboundSystem {
  name: string
  /** The system that confirms each event; null when events are trusted. */
  confirm: string | null
  retentionDays: number
  /** The settings that determine how an event is read. When they change, rows that were refused are checked again. */
  mapping: unknown
  /** Reads hints from the body of a stored event. Pure. */
  read(event: { body: Buffer; arrivedAt: Date }): EventContents
  open(parts: EndpointParts): InboundEndpoint
}

export interface EndpointParts {
  /** Events are stored here before the request is answered. */
  inboundEvents: Pick<InboundEventStore, 'keep' | 'keepNamed'>
  /** The public keys of all senders, shared because several systems may use the same URL. */
  keySets: KeySets
  clock: Clock
  newId: () => string
  /** Called once events have been stored and can be processed. */
  onStored(): void
}

/** What the web server serves for one system. */
export interface InboundEndpoint {
  /** `/events/NAME`; a trailing `/*` matches everything below the path. */
  path: string
  methods: 'POST' | 'all'
  maxBytes: number
  /** Checks the headers, before the body is read. */
  checkHead(head: EndpointHead): HeadCheck
  /** Handles a request. Resolves once all events have been stored; throws only when they could not be stored. */
  handle(request: EndpointRequest): Promise<EndpointAnswer>
  /** Response headers for a request that failed before `handle`. */
  failureHeaders?(head: Pick<EndpointHead, 'headers'>): Record<string, string>
}

export interface EndpointHead {
  method: string
  /** The path with its query. */
  url: string
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  remoteAddress: string
}

export interface EndpointRequest extends EndpointHead {
  body: Buffer
  /** Reports to the web server that the sender is authenticated; must be called as soon as that is known. */
  markAuthenticated(): void
}

/** `proven`: the sender is authenticated. `open`: the body is needed to decide. */
export type HeadCheck = { kind: 'proven' } | { kind: 'open' } | { kind: 'refused'; answer: EndpointAnswer }

export interface EndpointAnswer {
  status: number
  headers: Record<string, string>
  body: string | object
  /** The reason for the log, when the sender could not be authenticated. */
  failedLogin?: string
}
