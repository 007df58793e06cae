// Follows one dispatched request to its end, and records whether it was ever written.

import type { Clock } from '#src/platform/time/clock.ts'
import type { Exchange } from './exchange.ts'

// The shapes that undici calls, declared here so that only http-client.ts depends on undici.
interface Controller {
  abort(reason: Error): void
}
type RawHeaders = Record<string, string | string[] | undefined>

/** The longest answer that is accepted, also after decompression. */
export const defaultMaxAnswerBytes = 64 * 1024 * 1024

export interface CollectorOptions {
  clock: Clock
  deadlineMs: number
  maxAnswerBytes: number
  /** Whether to return the bytes of the answer: for a file, instead of its text. */
  keepBytes?: boolean
  maySend: () => boolean
  end: (exchange: Exchange) => void
}

/**
 * Creates a dispatch handler that calls `end` exactly once. Whether the request counts as sent depends only on
 * onRequestStart, which undici calls immediately before it writes. Error names do not help: ECONNRESET occurs both
 * before and after the service has committed. The choice is conservative: a write that fails afterwards counts as sent.
 */
export function collectAnswer(options: CollectorOptions) {
  const { clock, deadlineMs, maxAnswerBytes, keepBytes = false, maySend, end } = options
  const finished = new AbortController()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers: Record<string, string> = {}
  let connection: Controller | null = null
  let sent = false

  const finish = (exchange: Exchange) => {
    if (finished.signal.aborted) return
    finished.abort()
    end(exchange)
  }
  const giveUp = (code: string) => {
    finish({ kind: 'failed', code, sent })
    connection?.abort(new Error(code))
  }
  // undici restarts its header and body timeouts with every chunk, so an answer that trickles in would never time out.
  // One deadline covers the whole exchange, including the time to connect.
  clock.sleep(deadlineMs, finished.signal).then(
    () => giveUp('DEADLINE'),
    () => {},
  )

  return {
    onRequestStart(controller: Controller) {
      connection = controller
      if (finished.signal.aborted) return controller.abort(new Error('abandoned before it was written'))
      // Connecting may have taken seconds, so `maySend` is checked again now that the socket is ready.
      if (!maySend()) return giveUp('CLAIM_EXPIRED')
      sent = true
    },
    onResponseStart(_controller: Controller, statusCode: number, raw: RawHeaders) {
      status = statusCode
      headers = flatten(raw)
    },
    onResponseData(_controller: Controller, chunk: Buffer) {
      size += chunk.length
      if (size > maxAnswerBytes) return giveUp('ANSWER_TOO_LONG')
      chunks.push(chunk)
    },
    onResponseEnd() {
      const bytes = Buffer.concat(chunks)
      // A file may be long, and nobody reads it as text; an error is read, whatever was requested.
      const text = keepBytes && status === 200 ? '' : new TextDecoder().decode(bytes)
      finish({ kind: 'answer', status, headers, text, ...(keepBytes && { bytes }) })
    },
    onResponseError(_controller: Controller, error: Error) {
      finish({ kind: 'failed', code: codeOf(error), sent })
    },
  }
}

function flatten(raw: RawHeaders): Record<string, string> {
  const entries = Object.entries(raw).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')])
  return Object.fromEntries(entries)
}

// Returns only the code, because messages may contain header values.
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
