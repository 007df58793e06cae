// Follows one dispatched request to its end and says whether it was ever written.

import type { Clock } from '#src/time/clock.ts'
import type { Exchange } from './exchange.ts'

// The shapes undici calls; declared here so that undici itself stays in http.ts.
interface Controller {
  abort(reason: Error): void
}
type RawHeaders = Record<string, string | string[] | undefined>

export interface CollectorOptions {
  clock: Clock
  deadlineMs: number
  maxAnswerBytes: number
  /** Whether the answer's bytes are handed over beside its text. */
  keepBytes?: boolean
  maySend: () => boolean
  end: (exchange: Exchange) => void
}

/**
 * A dispatch handler that calls `end` exactly once. "Sent" is decided by onRequestStart alone, which undici calls
 * directly before it writes: error names don't tell (ECONNRESET is seen both before and after the service committed).
 * The boundary leans to the careful side: a write that then fails counts as sent.
 */
export function collectAnswer(options: CollectorOptions) {
  const { clock, deadlineMs, maxAnswerBytes, keepBytes = false, maySend, end } = options
  const over = new AbortController()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers: Record<string, string> = {}
  let connection: Controller | null = null
  let sent = false

  const finish = (exchange: Exchange) => {
    if (over.signal.aborted) return
    over.abort()
    end(exchange)
  }
  const giveUp = (code: string) => {
    finish({ kind: 'failed', code, sent })
    connection?.abort(new Error(code))
  }
  // undici's own header and body timeouts restart with every chunk, so a trickling answer would never end: one deadline
  // holds for the whole exchange, time spent on connecting included.
  clock.sleep(deadlineMs, over.signal).then(
    () => giveUp('DEADLINE'),
    () => {},
  )

  return {
    onRequestStart(controller: Controller) {
      connection = controller
      if (over.signal.aborted) return controller.abort(new Error('given up before it was written'))
      // Connecting may have taken seconds, so the door is asked again here, with the socket ready.
      if (!maySend()) return giveUp('DOOR_STALE')
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
      finish({ kind: 'answer', status, headers, text: new TextDecoder().decode(bytes), ...(keepBytes && { bytes }) })
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

// The code only: messages can carry header values.
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
