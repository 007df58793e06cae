// A delivery as it came over the wire, and what may be answered to the question whether it is genuine.

/** One HTTP request to /events/<source>. */
export interface Delivery {
  /** Names in any case. */
  headers: Readonly<Record<string, string>>
  /** The body, byte for byte. */
  body: Buffer
  /** Of the connection, or of the client behind a proxy that is trusted. */
  remoteAddress: string
}

/**
 * Why a delivery is refused. `keys-unavailable` is no fault of the sender: the right answer to it is 503, so that it tries again; to all
 * others it is 401. None of them contains anything of the delivery.
 */
export type Refusal =
  | 'credentials-missing'
  | 'credentials-wrong'
  | 'signature-missing'
  | 'signature-wrong'
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

/** `body` is the payload: what a JWT carries, the body without the secret that stood in it, else the body as it came. */
export type Verdict = { ok: true; body: Buffer } | { ok: false; why: Refusal }

/** The value of a header, its name in any case; undefined when it is absent or empty. */
export function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  const wanted = name.toLowerCase()
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === wanted)?.[1]
  return found === undefined || found === '' ? undefined : found
}

export const refuse = (why: Refusal): Verdict => ({ ok: false, why })
