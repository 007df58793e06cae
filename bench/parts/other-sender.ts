// A process that sends through the limiter of another project, used as documented. It takes the same orders, uses the
// same HTTP client and reports the same results as the sender in test/support/limits. These limiters do not react to a
// 429, so they continue to send.

import Bottleneck from 'bottleneck'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import pThrottle from 'p-throttle'
import { RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible'
import { openHttp } from '#src/issuer/http/http-client.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import type { SenderOptions, SenderReport } from '#test/support/limits/sender.ts'

export const otherLimiters = [
  'bottleneck reservoir',
  'bottleneck minTime, clustered',
  'BullMQ limiter',
  'rate-limiter-flexible',
  'p-throttle, a share each',
] as const

export interface OtherOrders extends SenderOptions {
  limiter: (typeof otherLimiters)[number]
  processes: number
}

interface Limiter {
  /** Runs the work as soon as the limiter allows it. */
  schedule(work: () => Promise<void>): Promise<void>
  /** Used instead of `schedule` if the limiter fetches its work itself. */
  pull?(work: () => Promise<void>): Promise<() => Promise<unknown>>
}

async function send(orders: OtherOrders): Promise<void> {
  const { limiter: name, serviceUrl, maxConcurrent, jitterMs, stallMs } = orders
  const done: SenderReport = { sends: [], refused: 0, failed: 0, scripts: 0, cpuMs: 0 }
  const http = openHttp({ baseUrl: serviceUrl, clock })
  const exchange = (path: string) =>
    http.exchange({ lane: 'read', method: 'POST', path, body: '{}', deadlineMs: 30_000 })
  async function sendOnce(): Promise<void> {
    done.sends.push(Number(process.hrtime.bigint()) / 1e6)
    if (jitterMs) await clock.sleep(Math.random() * jitterMs)
    const answer = await exchange('/report')
    if (answer.kind !== 'answer') done.failed += 1
    else if (answer.status === 429) done.refused += 1
  }
  for (let i = 0; i < 40; i++) await exchange('/warm')

  const limiter = await makers[name](orders)
  let ending = false
  const stopPulling = await limiter.pull?.(sendOnce)
  const lanes = stopPulling
    ? []
    : Array.from({ length: maxConcurrent }, async () => {
        while (!ending) await limiter.schedule(() => (ending ? Promise.resolve() : sendOnce())).catch(() => {})
      })
  if (stallMs) setInterval(() => stall(stallMs), 250).unref()
  process.send?.('sending')
  process.on('disconnect', () => process.exit(0))
  process.on('message', async () => {
    ending = true
    await Promise.race([stopPulling ? stopPulling() : Promise.all(lanes), clock.sleep(5_000)])
    const { user, system } = process.cpuUsage()
    process.send?.({ ...done, cpuMs: (user + system) / 1_000 } satisfies SenderReport)
  })
}

const makers: Record<OtherOrders['limiter'], (orders: OtherOrders) => Promise<Limiter>> = {
  async 'bottleneck reservoir'({ limit, maxConcurrent, redisUrl, processes }) {
    const reservoir = { reservoir: limit, reservoirRefreshAmount: limit, reservoirRefreshInterval: 1_000 }
    const limiter = new Bottleneck({
      ...reservoir,
      maxConcurrent,
      ...(processes > 1 && clusterOptions('reservoir', redisUrl)),
    })
    return { schedule: (work) => limiter.schedule(work) }
  },
  async 'bottleneck minTime, clustered'({ limit, redisUrl }) {
    const limiter = new Bottleneck({ minTime: Math.ceil(1_000 / limit), ...clusterOptions('minTime', redisUrl) })
    return { schedule: (work) => limiter.schedule(work) }
  },
  async 'BullMQ limiter'({ limit, maxConcurrent, redisUrl }) {
    const connection = connectionTo(redisUrl)
    const queue = new Queue('bench', { connection })
    const jobs = Array.from({ length: 3_000 }, () => ({ name: 'send', data: {}, opts: { removeOnComplete: true } }))
    return {
      schedule: () => Promise.reject(new Error('BullMQ fetches its work itself')),
      async pull(work) {
        await queue.addBulk(jobs)
        const worker = new Worker('bench', () => work(), {
          connection,
          concurrency: maxConcurrent,
          limiter: { max: limit, duration: 1_000 },
        })
        return () => worker.close()
      },
    }
  },
  async 'rate-limiter-flexible'({ limit, redisUrl }) {
    const storeClient = connectionTo(redisUrl)
    const queue = new RateLimiterQueue(new RateLimiterRedis({ storeClient, points: limit, duration: 1 }))
    return {
      async schedule(work) {
        await queue.removeTokens(1)
        await work()
      },
    }
  },
  async 'p-throttle, a share each'({ limit, processes }) {
    const throttle = pThrottle({ limit: Math.floor(limit / processes), interval: 1_000, strict: true })
    const throttled = throttle((work: () => Promise<void>) => work())
    return { schedule: (work) => throttled(work) }
  },
}

function clusterOptions(id: string, redisUrl: string | null) {
  const connection = new Bottleneck.IORedisConnection({ client: connectionTo(redisUrl) })
  return { id, datastore: 'ioredis' as const, clearDatastore: false, connection }
}

function connectionTo(redisUrl: string | null): Redis {
  return new Redis(redisUrl ?? '', { maxRetriesPerRequest: null })
}

function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

if (import.meta.main) await send(JSON.parse(process.argv[2] ?? '{}'))
