// A service that holds its limit in the strictest way: no second of any phase takes more requests than the limit. In a process of its
// own, because a busy one would stamp arrivals late; forked, it tells its address, and on `tell` what it saw.

import { createServer } from 'node:http'

export interface StrictOptions {
  limit: number
  /** Answers come after this many milliseconds, or after any time between two. */
  answerMs: number | [number, number]
  /** Seconds named by a refusal; none by default. */
  retryAfter?: number
}

export interface Seen {
  /** Milliseconds of this process's clock, one for each request. */
  arrivals: number[]
  refusals: number[]
}

const { limit, answerMs, retryAfter }: StrictOptions = JSON.parse(process.argv[2] ?? '{}')
const seen: Seen = { arrivals: [], refusals: [] }
let taken: number[] = []

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const now = performance.now()
  request.resume()
  if (request.url === '/warm') return void response.end('{}')
  seen.arrivals.push(now)
  taken = taken.filter((at) => at > now - 1_000)
  if (taken.length >= limit) {
    seen.refusals.push(now)
    response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }).end()
    return
  }
  taken.push(now)
  const [least, most] = Array.isArray(answerMs) ? answerMs : [answerMs, answerMs]
  const body = JSON.stringify({ status: 200, message: 'ok', payload: {} })
  setTimeout(() => response.writeHead(200).end(body), least + Math.random() * (most - least))
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.send?.({ url: `http://127.0.0.1:${address.port}` })
})
process.on('message', () => process.send?.(seen))
process.on('disconnect', () => process.exit(0))
