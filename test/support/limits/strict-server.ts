// A service that enforces its limit strictly: no interval of one second may contain more requests. It runs in its own
// process, because a busy process would record arrivals late. When forked, it reports its address, and on the
// message `report` what it has received.

import { createServer, type ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface StrictOptions {
  limit: number
  /** The delay of the responses in milliseconds, or a range of delays. */
  answerMs: number | [number, number]
  /** Retry-After of a refusal in seconds; none by default. */
  retryAfter?: number
  /** How much longer a request takes on its way here than the quickest. Default: none does. */
  way?: Way
}

/** At most so many milliseconds longer: each request a random part of them, or `lateShare` of the requests all of them. */
export interface Way {
  jitterMs: number
  lateShare?: number
}

export interface ServerReport {
  /** Arrival time of each request, in milliseconds of this process's clock. */
  arrivals: number[]
  refusals: number[]
  /** The longest time the machine blocked this process, in milliseconds. */
  maxEventLoopDelayMs: number
}

const { limit, answerMs, retryAfter, way }: StrictOptions = JSON.parse(process.argv[2] ?? '{}')
const seen: ServerReport = { arrivals: [], refusals: [], maxEventLoopDelayMs: 0 }
const delay = monitorEventLoopDelay({ resolution: 2 })
let lastSecond: number[] = []

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  if (request.url === '/warm') return void response.end('{}')
  delay.enable()
  if (way) setTimeout(() => receive(response), delayOf(way))
  else receive(response)
})

function delayOf({ jitterMs, lateShare }: Way): number {
  if (lateShare === undefined) return Math.random() * jitterMs
  return Math.random() < lateShare ? jitterMs : 0
}

function receive(response: ServerResponse): void {
  const now = performance.now()
  seen.arrivals.push(now)
  lastSecond = lastSecond.filter((at) => at > now - 1_000)
  if (lastSecond.length >= limit) {
    seen.refusals.push(now)
    response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }).end()
    return
  }
  lastSecond.push(now)
  const [minMs, maxMs] = Array.isArray(answerMs) ? answerMs : [answerMs, answerMs]
  const body = JSON.stringify({ status: 200, message: 'ok', payload: {} })
  setTimeout(() => response.writeHead(200).end(body), minMs + Math.random() * (maxMs - minMs))
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.send?.({ url: `http://127.0.0.1:${address.port}` })
})
process.on('message', () => process.send?.({ ...seen, maxEventLoopDelayMs: delay.max / 1e6 } satisfies ServerReport))
process.on('disconnect', () => process.exit(0))
