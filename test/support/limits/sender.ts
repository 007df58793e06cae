// A process that sends as much as its gate lets through, the way the worker does: gate, endpoint, wire. Forked with its orders, it sends
// until told to end, and then tells what it did.

import { openEndpoint } from '#src/issuer/endpoint.ts'
import { openHttp } from '#src/issuer/http.ts'
import { openGates } from '#src/limits/gates.ts'
import { sharedSlots } from '#src/limits/shared-slots.ts'
import { openRedis, type RedisConnection } from '#src/redis/open-redis.ts'
import { systemClock as clock } from '#src/time/clock.ts'

export interface Orders {
  serviceUrl: string
  /** Null: slots of this process alone. */
  redisUrl: string | null
  limit: number
  marginMs: number
  /** Requests under way at once. */
  atOnce: number
  /** How far a request may be held up after its gate, in milliseconds. */
  jitterMs?: number
  /** Keeps the process busy for so long, four times a second, as a collector or a parser would. */
  stallMs?: number
}

export interface Done {
  /** Milliseconds on the machine's monotonic clock, the same for all processes. */
  sends: number[]
  refused: number
  failed: number
  /** Scripts run in Redis. */
  scripts: number
  cpuMs: number
}

const orders: Orders = JSON.parse(process.argv[2] ?? '{}')
const done: Done = { sends: [], refused: 0, failed: 0, scripts: 0, cpuMs: 0 }
const secret = { reveal: () => 'a secret' }
const redis: RedisConnection | null = orders.redisUrl ? await openRedis({ url: orders.redisUrl }) : null
const { limit, marginMs } = orders
const slotsFor =
  redis &&
  sharedSlots({
    account: { baseUrl: orders.serviceUrl, key: secret, secret },
    marginMs,
    run: (script, keys, args) => redis.run(script, keys, args),
    clock,
  })
const gates = openGates({ general: limit, auth: 3 }, clock, { marginMs, ...(slotsFor && { slotsFor }) })
const http = openHttp({ baseUrl: orders.serviceUrl, clock })
const late = {
  ...http,
  exchange: async (request: Parameters<typeof http.exchange>[0]) => {
    if (orders.jitterMs) await clock.sleep(Math.random() * orders.jitterMs)
    return http.exchange(request)
  },
}
const endpoint = openEndpoint('report', gates.gate('report'), late, clock)

async function send(): Promise<void> {
  const exchange = await endpoint.call(() => {
    done.sends.push(Number(process.hrtime.bigint()) / 1e6)
    return { lane: 'read', method: 'POST', path: '/report', body: '{}', deadlineMs: 30_000 }
  })
  if (exchange?.kind !== 'answer') done.failed += 1
  else if (exchange.status === 429) done.refused += 1
}

// The first requests of a process open connections and load code, and would arrive late; a worker has asked for its token by then.
for (let i = 0; i < 40; i++)
  await http.exchange({ lane: 'read', method: 'POST', path: '/warm', body: '{}', deadlineMs: 30_000 })

let ending = false
const lanes = Array.from({ length: orders.atOnce }, async () => {
  while (!ending) await send().catch(() => {})
})
if (orders.stallMs) setInterval(() => stall(orders.stallMs ?? 0), 250).unref()

function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

process.send?.('sending')
process.on('message', async () => {
  ending = true
  gates.stop()
  await Promise.all(lanes)
  const { user, system } = process.cpuUsage()
  process.send?.({ ...done, scripts: redis?.sent() ?? 0, cpuMs: (user + system) / 1_000 } satisfies Done)
  redis?.close()
})
process.on('disconnect', () => process.exit(0))
