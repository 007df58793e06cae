// The faults, each with what it does on the wire and with what an invitation that meets it must be called in the ledger.

import { setImmediate } from 'node:timers/promises'
import { type Clock, systemClock } from '#src/time/clock.ts'
import type { Strike, WireExchange } from '#test/support/fault-proxy.ts'
import { renderAnswer } from '#test/support/raw-http.ts'

export interface Fault {
  name: string
  /** The class of an invitation that meets it, by its attempt in the ledger. */
  invitation: 'not_sent' | 'unknown' | 'throttled' | 'accepted'
  /** Whether the service hears of the request; `either` is thrown by the case's dice. */
  heard: 'yes' | 'no' | 'either'
  /** What it does: to whole connections, before a request can be seen, or to one exchange. */
  does: { shut: 'refuse' | 'drop' } | { strike: (heard: boolean) => Strike }
}

/** Slower than any deadline of a case: an answer has more than two hundred bytes. */
const dripMs = 50

export const faults: readonly Fault[] = [
  { name: 'refuse', invitation: 'not_sent', heard: 'no', does: { shut: 'refuse' } },
  // The one fault that needs TLS: the connection breaks after the worker's first bytes of the handshake.
  { name: 'tls-drop', invitation: 'not_sent', heard: 'no', does: { shut: 'drop' } },
  fault('reset-before-body', 'unknown', 'no', async ({ client }) => void client.resetAndDestroy(), 'head'),
  fault('reset-before-commit', 'unknown', 'no', async ({ client }) => void client.resetAndDestroy()),
  fault('reset-after-commit', 'unknown', 'yes', async ({ client, forward }) => {
    await forward()
    client.resetAndDestroy()
  }),
  fault('half-close', 'unknown', 'yes', async ({ client, forward }) => {
    const answer = renderAnswer(await forward())
    // All of the head and half of the body.
    const bodyAt = answer.indexOf('\r\n\r\n') + 4
    client.end(answer.subarray(0, bodyAt + Math.floor((answer.length - bodyAt) / 2)))
  }),
  fault('blackhole', 'unknown', 'no', ({ gone }) => over(gone)),
  fault('drip', 'unknown', 'yes', (exchange) => drip(exchange, systemClock)),
  fault('trickle', 'accepted', 'yes', async ({ client, forward }) => {
    for (const piece of cut(renderAnswer(await forward()), 40)) {
      client.write(piece)
      await setImmediate()
    }
  }),
  // The body is whole JSON, but by its length there is more to come: what a proxy does whose upstream died.
  fault('truncated', 'unknown', 'yes', async ({ client, forward, gone }) => {
    const answer = await forward()
    client.write(renderAnswer(answer, { length: answer.body.length + 64 }))
    await over(gone)
  }),
  fault('duplicate', 'accepted', 'yes', async ({ client, forward }) => {
    const answer = renderAnswer(await forward())
    client.write(Buffer.concat([answer, answer]))
  }),
  // A gateway may give up before the service has heard of the request, or after it has done it.
  fault('502', 'unknown', 'either', ({ client }) => answerWith(client, '502 Bad Gateway', '<html>Bad gateway</html>')),
  fault('503', 'unknown', 'either', ({ client }) => answerWith(client, '503 Service Unavailable', '{}', 1)),
  fault('429', 'throttled', 'no', ({ client }) => answerWith(client, '429 Too Many Requests', '{}', 1)),
]

function fault(
  name: string,
  invitation: Fault['invitation'],
  heard: Fault['heard'],
  act: Strike['act'],
  at: Strike['at'] = 'request',
): Fault {
  const heardFirst: Strike['act'] = async (exchange) => {
    await exchange.forward()
    await act(exchange)
  }
  const strike = (isHeard: boolean): Strike => ({ at, act: heard === 'either' && isHeard ? heardFirst : act })
  return { name, invitation, heard, does: { strike } }
}

async function answerWith(client: WireExchange['client'], status: string, text: string, retryAfter?: number) {
  const after = retryAfter === undefined ? '' : `\r\nretry-after: ${retryAfter}`
  const head = `HTTP/1.1 ${status}\r\ncontent-type: ${text.startsWith('<') ? 'text/html' : 'application/json'}${after}`
  client.end(renderAnswer({ head, body: Buffer.from(text) }, { connection: 'close' }))
}

/** Settles when the worker has gone away: what is held back is released by its own deadline and by nothing else. */
function over(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve()
    gone.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function drip({ client, forward, gone }: WireExchange, clock: Clock): Promise<void> {
  for (const byte of cut(renderAnswer(await forward()), Number.POSITIVE_INFINITY)) {
    if (gone.aborted) return
    client.write(byte)
    await clock.sleep(dripMs, gone).catch(() => {})
  }
}

function cut(whole: Buffer, pieces: number): Buffer[] {
  const size = Math.max(1, Math.ceil(whole.length / pieces))
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
    whole.subarray(index * size, (index + 1) * size),
  )
}
