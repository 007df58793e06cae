// A plain HTTP proxy between worker and sandbox that breaks chosen exchanges as an unreliable network would.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * lose-request: the connection breaks before the service receives anything. lose-answer: the service handles the
 * request, but its response is lost. A status: it is returned, and the service receives nothing.
 */
export type ProxyFault = 'lose-request' | 'lose-answer' | { status: number; body: string }

export interface InterferingProxy {
  url: string
  /** Breaks the next `times` exchanges whose path contains `part`. */
  spoil(part: string, fault: ProxyFault, times?: number): void
  /** Breaks the exchanges whose path contains `part` and whose body contains `text`: the next `times`, or all. */
  spoilIfBody(part: string, text: string, fault: ProxyFault, times?: number): void
  /** Stops breaking exchanges. */
  behave(): void
  /** Paths of all requests received, in order. */
  seen: string[]
  close(): Promise<void>
}

export async function openInterferingProxy(target: string): Promise<InterferingProxy> {
  const plans: { part: string; fault: ProxyFault; left: number; text?: string }[] = []
  const seen: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? ''
    seen.push(path)
    const body = await readAll(incoming)
    const plan = plans.find((plan) => plan.left > 0 && path.includes(plan.part) && body.includes(plan.text ?? ''))
    if (plan) plan.left--
    if (plan?.fault === 'lose-request') return incoming.socket.destroy()
    if (plan && typeof plan.fault === 'object') {
      outgoing.writeHead(plan.fault.status, { 'content-type': 'application/json' })
      return outgoing.end(plan.fault.body)
    }
    forward(target, incoming, body, outgoing, plan?.fault === 'lose-answer')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil: (part, fault, times = 1) => plans.push({ part, fault, left: times }),
    spoilIfBody: (part, text, fault, times = Number.POSITIVE_INFINITY) =>
      plans.push({ part, text, fault, left: times }),
    behave: () => void plans.splice(0),
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
