// Decides whether the body of an HTTP 200 answer is the requested file or an envelope that reports an error. Pure.

import { WireError } from '#src/issuer/read-shape.ts'
import { type ReadResult, ServiceRefusedError } from '../classify-read.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import { serviceMessage } from '../service-message.ts'

/**
 * Only a JSON object with a status other than 200 and with a message or payload counts as an error; any other object is
 * taken to be the file itself. Never throws.
 */
export function classifyFile(
  file: Buffer,
  endpoint: string,
  sentSecrets?: HttpAnswer['sentSecrets'],
): ReadResult<Buffer> {
  if (file.length === 0) {
    const error = new WireError(endpoint, '(whole answer)', 'empty')
    return { kind: 'again', problem: 'empty answer', throttled: false, error }
  }
  const text = file.length <= maxEnvelopeBytes ? new TextDecoder().decode(file) : ''
  const status = errorStatus(text)
  if (status === null) return { kind: 'done', found: file }
  if (status === 401) return { kind: 'token-refused', words: serviceMessage(text, sentSecrets) }
  if (status === 429 || status >= 500) return { kind: 'again', problem: `envelope status ${status}`, throttled: false }
  return { kind: 'refused', error: new ServiceRefusedError(status, endpoint, serviceMessage(text, sentSecrets)) }
}

/** An envelope that only reports an error is short. */
const maxEnvelopeBytes = 64 * 1024

function errorStatus(text: string): number | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('message' in body || 'payload' in body)) return null
    const status = 'status' in body ? Number(body.status) : Number.NaN
    return Number.isInteger(status) && status >= 100 && status <= 999 && status !== 200 ? status : null
  } catch {
    return null
  }
}
