// A plain HTTP proxy between the worker and the sandbox that spoils chosen exchanges: what a network does now and then.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * lose-request: the connection breaks before anything reaches the service. lose-answer: the service gets and does it, the answer
 * is lost. A number: that status, without the service hearing of it.
 */
export type Mischief = 'lose-request' | 'lose-answer' | { status: number; body: string }

export interface InterferingProxy {
  url: string
  /** Spoils the next `times` exchanges whose path contains `part`. */
  spoil(part: string, mischief: Mischief, times?: number): void
  /** Spoils every exchange whose path contains `part` and whose body contains `text`, or the next `times`. */
  spoilIfBody(part: string, text: string, mischief: Mischief, times?: number): void
  /** Paths of all requests that came, in order. */
  seen: string[]
  close(): Promise<void>
}

export async function openInterferingProxy(target: string): Promise<InterferingProxy> {
  const plans: { part: string; mischief: Mischief; left: number; text?: string }[] = []
  const seen: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? ''
    seen.push(path)
    const body = await readAll(incoming)
    const plan = plans.find((each) => each.left > 0 && path.includes(each.part) && body.includes(each.text ?? ''))
    if (plan) plan.left--
    if (plan?.mischief === 'lose-request') return incoming.socket.destroy()
    if (plan && typeof plan.mischief === 'object') {
      outgoing.writeHead(plan.mischief.status, { 'content-type': 'application/json' })
      return outgoing.end(plan.mischief.body)
    }
    forward(target, incoming, body, outgoing, plan?.mischief === 'lose-answer')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil: (part, mischief, times = 1) => plans.push({ part, mischief, left: times }),
    spoilIfBody: (part, text, mischief, times = Number.POSITIVE_INFINITY) =>
      plans.push({ part, text, mischief, left: times }),
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forward(
  target: string,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  loseAnswer: boolean,
): void {
  const { host: _host, 'transfer-encoding': _chunked, ...headers } = incoming.headers
  const onward = request(
    new URL(incoming.url ?? '/', target),
    { method: incoming.method, headers: { ...headers, 'content-length': String(body.length) } },
    async (answer) => {
      const text = await readAll(answer)
      if (loseAnswer) return incoming.socket.destroy()
      outgoing.writeHead(answer.statusCode ?? 502, {
        'content-type': answer.headers['content-type'] ?? 'application/json',
      })
      outgoing.end(text)
    },
  )
  onward.on('error', () => incoming.socket.destroy())
  onward.end(body)
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
