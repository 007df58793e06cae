// The answers that spoiled calls get, as they go over the wire. What the sandbox really did is in its journal only.

import type { Mischief } from './mischief.ts'
import type { Spoil } from './spoil.ts'

export interface WireAnswer {
  status: number
  contentType: string
  /** Text, or the bytes of a file. */
  body: string | Buffer
}

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const page =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>502 Bad Gateway</h1></body>\r\n</html>\r\n'

/** `good` is what an honest service would have answered; null for an answer that never comes. */
export function spoiledAnswer(spoil: Spoil, mischief: Mischief, good: string | Buffer): WireAnswer | null {
  switch (spoil.kind) {
    case 'partial commit':
      return mischief.partialCommit?.answer === 400
        ? envelope(400, 400, 'Bad request: some of the recipients cannot be taken.')
        : envelope(500, 500, 'Something went wrong.')
    case 'throttled':
      return envelope(429, 429, 'Too many requests. Slow down and send this one again.')
    case 'envelope 500':
      return envelope(200, 500, 'Something went wrong.')
    case 'html 502':
      return { status: 502, contentType: html, body: page }
    case 'truncated':
      return { status: 200, contentType: json, body: firstHalf(good) }
    case 'lost':
      return null
  }
}

function firstHalf(body: string | Buffer): string | Buffer {
  const half = Math.floor(body.length / 2)
  return typeof body === 'string' ? body.slice(0, half) : body.subarray(0, half)
}

function envelope(http: number, status: number, message: string): WireAnswer {
  return { status: http, contentType: json, body: JSON.stringify({ status, message, payload: {} }) }
}
