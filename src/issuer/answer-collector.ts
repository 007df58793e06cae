// Follows one dispatched request to its end and says whether it was ever written.

import type { Clock } from '#src/time/clock.ts'
import type { BodySink, Exchange } from './exchange.ts'

// The shapes undici calls; declared here so that undici itself stays in http.ts.
interface Controller {
  abort(reason: Error): void
  pause(): void
  resume(): void
}
type RawHeaders = Record<string, string | string[] | undefined>

export interface CollectorOptions {
  clock: Clock
  deadlineMs: number
  maxAnswerBytes: number
  /** Whether the answer's bytes are handed over beside its text. */
  keepBytes?: boolean
  /** Takes the body of an answer 200 instead. */
  sink?: BodySink | null
  maySend: () => boolean
  end: (exchange: Exchange) => void
}

/**
 * A dispatch handler that calls `end` exactly once. "Sent" is decided by onRequestStart alone, which undici calls
 * directly before it writes: error names don't tell (ECONNRESET is seen both before and after the service committed).
 * The boundary leans to the careful side: a write that then fails counts as sent.
 */
export function collectAnswer(options: CollectorOptions) {
  const { clock, deadlineMs, maxAnswerBytes, keepBytes = false, sink = null, maySend, end } = options
  const over = new AbortController()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers: Record<string, string> = {}
  let connection: Controller | null = null
  let sent = false
  // Pieces on their way into the sink, one after another; whoever is slow to take them slows the service down, not our memory up.
  let pouring: Promise<void> = Promise.resolve()
  let inHand = 0

  const finish = (exchange: Exchange) => {
    if (over.signal.aborted) return
    over.abort()
    end(exchange)
  }
  const giveUp = (code: string, fault?: Error) => {
    finish({ kind: 'failed', code, sent, ...(fault && { fault }) })
    connection?.abort(new Error(code))
  }
  const guarded = async (doing: () => Promise<void> | void) => {
    try {
      if (!over.signal.aborted) await doing()
    } catch (error) {
      giveUp(
        'SINK',
        error instanceof Error ? error : new Error('The sink of a download threw something that is no error.'),
      )
    }
  }
  const pour = (into: BodySink, controller: Controller, chunk: Buffer) => {
    inHand += 1
    controller.pause()
    pouring = pouring
      .then(() => guarded(() => into.write(chunk)))
      .then(() => {
        inHand -= 1
        if (inHand === 0) controller.resume()
      })
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
      if (sink && status === 200) pouring = guarded(() => sink.begin(headers))
    },
    onResponseData(controller: Controller, chunk: Buffer) {
      // Measured: after a pause the parser goes on with an empty piece, and one that pauses for it goes on for ever.
      if (chunk.length === 0) return
      size += chunk.length
      if (size > maxAnswerBytes) return giveUp('ANSWER_TOO_LONG')
      if (sink && status === 200) pour(sink, controller, chunk)
      else chunks.push(chunk)
    },
    async onResponseEnd() {
      if (sink?.finish && status === 200) pouring = pouring.then(() => guarded(() => sink.finish?.()))
      await pouring
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
