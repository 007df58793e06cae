// The types of an inbound event as received, and of the verdict on whether it is genuine. Pure.

/** One HTTP request to /events/NAME. */
export interface InboundRequest {
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  /** The body as received, byte for byte. */
  body: Buffer
  /** The IP address of the connection, or of the client behind a trusted proxy. */
  remoteAddress: string
}

/**
 * Why an event is refused. `keys-unavailable` is not the sender's fault: the response is 503, so that the sender
 * retries. The response for all other reasons is 401. No reason contains data from the event.
 */
export type AuthRefusal =
  | 'credentials-missing'
  | 'credentials-wrong'
  | 'signature-missing'
  | 'signature-wrong'
  | 'id-ambiguous'
  | 'timestamp-missing'
  | 'timestamp-unreadable'
  | 'timestamp-outside-tolerance'
  | 'body-unreadable'
  | 'token-malformed'
  | 'token-expired'
  | 'claims-wrong'
  | 'key-unknown'
  | 'keys-unavailable'
  | 'address-not-allowed'

/**
 * `body` is the payload: the content of a JWT, the body without the secret that it contained, or otherwise the body as
 * received.
 */
export type AuthVerdict = { ok: true; body: Buffer } | { ok: false; why: AuthRefusal }

/** Returns the value of a header, ignoring the case of its name; undefined when the header is absent or empty. */
export const headerOf = (headers: InboundRequest['headers'], name: string): string | undefined =>
  headers[name.toLowerCase()] || undefined

export const refuse = (why: AuthRefusal): AuthVerdict => ({ ok: false, why })
