// The faulty responses as they are sent. Only the sandbox's journal shows what was really done. Pure.

import type { AnswerFault } from './choose-fault.ts'
import type { Faults } from './faults.ts'

export interface WireResponse {
  status: number
  contentType: string
  /** Text, or the bytes of a file. */
  body: string | Buffer
}

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const page =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>502 Bad Gateway</h1></body>\r\n</html>\r\n'

/**
 * Returns null for no response.
 * @param good the body of the response without the fault
 */
export function faultyResponse(spoil: AnswerFault, faults: Faults, good: string | Buffer): WireResponse | null {
  switch (spoil.kind) {
    case 'partial commit':
      return faults.partialCommit?.answer === 400
        ? envelope(400, 400, 'Bad request: some of the recipients cannot be accepted.')
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

function envelope(http: number, status: number, message: string): WireResponse {
  return { status: http, contentType: json, body: JSON.stringify({ status, message, payload: {} }) }
}
