// A plain HTTP proxy between worker and sandbox that breaks chosen exchanges as an unreliable network would.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

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
  /** Keeps the exchanges whose path contains `part` waiting, before the service receives them. */
  hold(part: string): HeldExchanges
  /** Stops breaking exchanges. */
  behave(): void
  /** Paths of all requests received, in order. */
  seen: string[]
  close(): Promise<void>
}

export interface HeldExchanges extends Disposable {
  /** The number of exchanges that wait now. */
  count(): number
  /** Breaks those that wait, and keeps the next ones waiting. */
  lose(): void
  /** Lets those that wait go on, and all later ones. */
  release(): void
}

export async function openInterferingProxy(target: string): Promise<InterferingProxy> {
  const plans: { part: string; fault: ProxyFault; left: number; text?: string }[] = []
  const seen: string[] = []
  const holds = new Set<{ part: string; waiting: ((fate: 'on' | 'lost') => void)[] }>()
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? ''
    seen.push(path)
    const body = await buffer(incoming)
    const hold = [...holds].find(({ part }) => path.includes(part))
    const fate = hold && (await new Promise<'on' | 'lost'>((resolve) => hold.waiting.push(resolve)))
    if (fate === 'lost') return incoming.socket.destroy()
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
    hold(part) {
      const hold = { part, waiting: [] as ((fate: 'on' | 'lost') => void)[] }
      holds.add(hold)
      const end = (fate: 'on' | 'lost') => {
        for (const resolve of hold.waiting.splice(0)) resolve(fate)
      }
      const release = () => {
        holds.delete(hold)
        end('on')
      }
      return { count: () => hold.waiting.length, lose: () => end('lost'), release, [Symbol.dispose]: release }
    },
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
      const text = await buffer(answer)
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
