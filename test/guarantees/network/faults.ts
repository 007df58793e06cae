// The faults: what each does on the network, and which outcome the ledger must record for an invitation.

import { setImmediate } from 'node:timers/promises'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import type { Strike, WireExchange } from '#test/support/fault-proxy.ts'
import { renderAnswer } from '#test/support/raw-http.ts'

export interface Fault {
  name: string
  /** The outcome of an affected invitation, as recorded in its attempt. */
  invitation: 'not_sent' | 'unknown' | 'throttled' | 'accepted'
  /** Whether the service receives the request; `either` is drawn from the seed. */
  received: 'yes' | 'no' | 'either'
  /** Acts on whole connections, before a request can be read, or on one exchange. */
  effect: { shut: 'refuse' | 'drop' } | { strike: (received: boolean) => Strike }
}

/** Slower than any deadline of a case: an answer has more than two hundred bytes, and an invitation waits for 25 s. */
const dripMs = 500

export const faults: readonly Fault[] = [
  { name: 'refuse', invitation: 'not_sent', received: 'no', effect: { shut: 'refuse' } },
  // The only fault that needs TLS: the connection is closed after the worker's first bytes of the handshake.
  { name: 'tls-drop', invitation: 'not_sent', received: 'no', effect: { shut: 'drop' } },
  fault('reset-before-body', 'unknown', 'no', async ({ client }) => void client.resetAndDestroy(), 'head'),
  fault('reset-before-commit', 'unknown', 'no', async ({ client }) => void client.resetAndDestroy()),
  fault('reset-after-commit', 'unknown', 'yes', async ({ client, forward }) => {
    await forward()
    client.resetAndDestroy()
  }),
  fault('half-close', 'unknown', 'yes', async ({ client, forward }) => {
    const answer = renderAnswer(await forward())
    // The whole head and half of the body.
    const bodyAt = answer.indexOf('\r\n\r\n') + 4
    client.end(answer.subarray(0, bodyAt + Math.floor((answer.length - bodyAt) / 2)))
  }),
  fault('blackhole', 'unknown', 'no', ({ gone }) => untilClosed(gone)),
  fault('drip', 'unknown', 'yes', (exchange) => drip(exchange, systemClock)),
  fault('trickle', 'accepted', 'yes', async ({ client, forward }) => {
    for (const piece of split(renderAnswer(await forward()), 40)) {
      client.write(piece)
      await setImmediate()
    }
  }),
  // The body is complete JSON but shorter than its content-length, as from a proxy whose upstream died.
  fault('truncated', 'unknown', 'yes', async ({ client, forward, gone }) => {
    const answer = await forward()
    client.write(renderAnswer(answer, { length: answer.body.length + 64 }))
    await untilClosed(gone)
  }),
  fault('duplicate', 'accepted', 'yes', async ({ client, forward }) => {
    const answer = renderAnswer(await forward())
    client.write(Buffer.concat([answer, answer]))
  }),
  // A gateway may time out before the service has received the request or after it has applied it.
  fault('502', 'unknown', 'either', ({ client }) => answerWith(client, '502 Bad Gateway', '<html>Bad gateway</html>')),
  fault('503', 'unknown', 'either', ({ client }) => answerWith(client, '503 Service Unavailable', '{}', 1)),
  fault('429', 'throttled', 'no', ({ client }) => answerWith(client, '429 Too Many Requests', '{}', 1)),
]

function fault(
  name: string,
  invitation: Fault['invitation'],
  received: Fault['received'],
  act: Strike['act'],
  at: Strike['at'] = 'request',
): Fault {
  const receivedFirst: Strike['act'] = async (exchange) => {
    await exchange.forward()
    await act(exchange)
  }
  const strike = (isReceived: boolean): Strike => ({
    at,
    act: received === 'either' && isReceived ? receivedFirst : act,
  })
  return { name, invitation, received, effect: { strike } }
}

async function answerWith(client: WireExchange['client'], status: string, text: string, retryAfter?: number) {
  const after = retryAfter === undefined ? '' : `\r\nretry-after: ${retryAfter}`
  const head = `HTTP/1.1 ${status}\r\ncontent-type: ${text.startsWith('<') ? 'text/html' : 'application/json'}${after}`
  client.end(renderAnswer({ head, body: Buffer.from(text) }, { connection: 'close' }))
}

/** Settles when the worker has closed the connection: only its own deadline ends the wait. */
function untilClosed(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve()
    gone.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function drip({ client, forward, gone }: WireExchange, clock: Clock): Promise<void> {
  for (const byte of split(renderAnswer(await forward()), Number.POSITIVE_INFINITY)) {
    if (gone.aborted) return
    client.write(byte)
    await clock.sleep(dripMs, gone).catch(() => {})
  }
}

function split(whole: Buffer, pieces: number): Buffer[] {
  const size = Math.max(1, Math.ceil(whole.length / pieces))
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
    whole.subarray(index * size, (index + 1) * size),
  )
}
