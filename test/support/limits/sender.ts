// A forked process that sends as much as its gate allows, through gate, endpoint and HTTP like the worker. It gets its
// options as JSON in its first argument, sends until a message stops it, and then reports what it did.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openEndpoint } from '#src/issuer/endpoint.ts'
import { openHttp } from '#src/issuer/http/http-client.ts'
import { openGates } from '#src/platform/limits/gates.ts'
import { sharedSlots } from '#src/platform/limits/shared-slots.ts'
import { nextSlots } from '#src/platform/limits/slot-scripts.ts'
import { openRedis, type RedisConnection } from '#src/platform/redis/open-redis.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'

export interface SenderOptions {
  serviceUrl: string
  /** The URL of the Redis through which processes share slots; null if this process has its own slots. */
  redisUrl: string | null
  limit: number
  marginMs: number
  /** Maximum concurrent requests. */
  maxConcurrent: number
  /** Maximum delay of a request after it has passed the gate, in milliseconds. */
  jitterMs?: number
  /** Blocks the process for this long four times a second, as garbage collection or parsing would. */
  stallMs?: number
}

export interface SenderReport {
  /** Milliseconds of the machine's monotonic clock, which all processes share. */
  sends: number[]
  refused: number
  failed: number
  /** Number of scripts run in Redis. */
  scripts: number
  /** Slots taken from Redis and not returned, in milliseconds of Redis's clock. */
  slots?: number[]
  /** Total number of slots taken. */
  slotsTaken?: number
  /** The longest time the machine blocked this process, in milliseconds. */
  maxEventLoopDelayMs?: number
  cpuMs: number
}

const options: SenderOptions = JSON.parse(process.argv[2] ?? '{}')
const done: SenderReport = { sends: [], refused: 0, failed: 0, scripts: 0, cpuMs: 0 }
const secret = new Secret('a secret')
const redis: RedisConnection | null = options.redisUrl ? await openRedis({ url: options.redisUrl }) : null
const { limit, marginMs } = options
const slots = new Set<string>()
let slotsTaken = 0
const slotsFor =
  redis &&
  sharedSlots({
    account: { baseUrl: options.serviceUrl, key: secret, secret },
    marginMs,
    async run(script, keys, args) {
      const answer = await redis.run(script, keys, args)
      if (script === nextSlots) noteSlots(args, answer as number[])
      return answer
    },
    clock,
  })
const gates = openGates({ general: limit, auth: 3 }, clock, { marginMs, ...(slotsFor && { slotsFor }) })
const http = openHttp({ baseUrl: options.serviceUrl, clock })
const delayedHttp = {
  ...http,
  exchange: async (request: Parameters<typeof http.exchange>[0]) => {
    if (options.jitterMs) await clock.sleep(Math.random() * options.jitterMs)
    return http.exchange(request)
  },
}
const endpoint = openEndpoint('report', gates.gate('report'), delayedHttp, clock)

/**
 * Unused slots are returned with the next request for slots. The positions are those of ARGV and of the reply of
 * `nextSlots` (slot-scripts.ts).
 */
function noteSlots([, , , , ...back]: readonly (string | number)[], [, kind, , ...fresh]: readonly number[]): void {
  for (const each of back) slots.delete(String(each))
  if (kind !== 0) return
  for (const entry of fresh) slots.add(String(entry))
  slotsTaken += fresh.length
}

async function send(): Promise<void> {
  const exchange = await endpoint.call(() => {
    done.sends.push(Number(process.hrtime.bigint()) / 1e6)
    return { lane: 'read', method: 'POST', path: '/report', body: '{}', deadlineMs: 30_000 }
  })
  if (exchange?.kind !== 'answer') done.failed += 1
  else if (exchange.status === 429) done.refused += 1
}

// The first requests of a process open connections and load code, so they would arrive late. A worker has fetched its
// token by then.
for (let i = 0; i < 40; i++)
  await http.exchange({ lane: 'read', method: 'POST', path: '/warm', body: '{}', deadlineMs: 30_000 })

const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()
let ending = false
const lanes = Array.from({ length: options.maxConcurrent }, async () => {
  while (!ending) await send().catch(() => {})
})
if (options.stallMs) setInterval(() => stall(options.stallMs ?? 0), 250).unref()

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
  const counts = { scripts: redis?.sent() ?? 0, cpuMs: (user + system) / 1_000 }
  const slotReport = {
    slots: [...slots].map((at) => Number(at) / 1_000),
    slotsTaken,
    maxEventLoopDelayMs: delay.max / 1e6,
  }
  process.send?.({ ...done, ...counts, ...slotReport } satisfies SenderReport)
  redis?.close()
})
process.on('disconnect', () => process.exit(0))
