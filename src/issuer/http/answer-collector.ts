// Follows one dispatched request to its end, and records whether it was ever written.

import type { Clock } from '#src/platform/time/clock.ts'
import type { BodySink, Exchange } from './exchange.ts'

// The shapes that undici calls, declared here so that only http-client.ts depends on undici.
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
  /** Whether to return the answer's bytes as well as its text. */
  keepBytes?: boolean
  /** If given, receives the body of a 200 answer, which is then not collected in memory. */
  sink?: BodySink | null
  maySend: () => boolean
  end: (exchange: Exchange) => void
}

/**
 * Creates a dispatch handler that calls `end` exactly once. Whether the request counts as sent depends only on
 * onRequestStart, which undici calls immediately before it writes. Error names do not help: ECONNRESET occurs both
 * before and after the service has committed. The choice is conservative: a write that fails afterwards counts as sent.
 */
export function collectAnswer(options: CollectorOptions) {
  const { clock, deadlineMs, maxAnswerBytes, keepBytes = false, sink = null, maySend, end } = options
  const finished = new AbortController()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers: Record<string, string> = {}
  let connection: Controller | null = null
  let sent = false
  // The pending writes to the sink, in order. A slow sink slows the download down instead of filling memory.
  let writing: Promise<void> = Promise.resolve()
  let unwrittenChunks = 0

  const finish = (exchange: Exchange) => {
    if (finished.signal.aborted) return
    finished.abort()
    end(exchange)
  }
  const giveUp = (code: string, fault?: Error) => {
    finish({ kind: 'failed', code, sent, ...(fault && { fault }) })
    connection?.abort(new Error(code))
  }
  const runUnlessFinished = async (work: () => Promise<void> | void) => {
    try {
      if (!finished.signal.aborted) await work()
    } catch (error) {
      giveUp(
        'SINK',
        error instanceof Error ? error : new Error('The sink of a download threw something that is not an error.'),
      )
    }
  }
  const writeTo = (target: BodySink, controller: Controller, chunk: Buffer) => {
    unwrittenChunks += 1
    controller.pause()
    writing = writing
      .then(() => runUnlessFinished(() => target.write(chunk)))
      .then(() => {
        unwrittenChunks -= 1
        if (unwrittenChunks === 0) controller.resume()
      })
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
      if (sink && status === 200) writing = runUnlessFinished(() => sink.begin(headers))
    },
    onResponseData(controller: Controller, chunk: Buffer) {
      // Observed with undici: after a pause the parser continues with an empty chunk, and a handler that pauses for
      // that chunk never resumes.
      if (chunk.length === 0) return
      size += chunk.length
      if (size > maxAnswerBytes) return giveUp('ANSWER_TOO_LONG')
      if (sink && status === 200) writeTo(sink, controller, chunk)
      else chunks.push(chunk)
    },
    async onResponseEnd() {
      if (sink?.finish && status === 200) writing = writing.then(() => runUnlessFinished(() => sink.finish?.()))
      await writing
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

// Returns only the code, because messages may contain header values.
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
