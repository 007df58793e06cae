// Tests that real processes share one allowance through a real Redis, against a service that refuses whatever exceeds
// its limit in any second. How much of the limit is used depends on the machine's load: bench/limits.ts measures that,
// and test/src/platform/limits tests it with a manual clock.

import { describe, expect, onTestFinished, test } from 'vitest'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { maxInWindow, type Result, type Senders, sendsOf, startSenders } from '#test/support/limits/sender-processes.ts'
import { type RedisServer, startRedis } from '#test/support/redis-server.ts'
import { sized, tally } from '#test/support/suite-size.ts'
import { until } from '#test/support/until.ts'

const limit = 60
const marginMs = 20
const seconds = sized(3, 30)
const processCounts = [2, 1, 4]

async function ownRedis(): Promise<RedisServer> {
  const redis = await startRedis()
  if (!redis) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => redis.stop())
  return redis
}

const start = (processes: number, redisUrl: string | null, refusesOver = limit) =>
  startSenders({
    processes,
    redisUrl,
    limit,
    marginMs,
    maxConcurrent: 24,
    server: { limit: refusesOver, answerMs: [5, 60] },
  })

async function untilArrived(senders: Senders, count: number): Promise<void> {
  await until(`${count} requests`, async () => {
    const { length } = (await senders.seen()).arrivals
    return length >= count || String(length)
  })
}

/** The longest gap between two of these times, and when it ended. */
function longestGap(times: readonly number[]): { ms: number; until: number } {
  const gaps = times.slice(1).map((at, i) => ({ ms: at - (times[i] ?? 0), until: at }))
  return gaps.reduce((longest, gap) => (gap.ms > longest.ms ? gap : longest), { ms: 0, until: 0 })
}

const slotsOf = ({ done }: Result) => done.flatMap(({ slots = [] }) => slots).sort((a, b) => a - b)

/**
 * The interval in which the service must not see more than the limit: one second, less the time that the machine
 * delayed a request between its slot and its arrival at the service.
 */
function certainSpanMs(result: Result): number {
  return Math.min(1_000, 1_000 + marginMs - delayedMs(result))
}

/** The longest time for which the machine can have delayed a request between its slot and its arrival. */
function delayedMs({ done, server }: Result): number {
  return Math.max(...done.map(({ maxEventLoopDelayMs = 0 }) => maxEventLoopDelayMs)) + server.maxEventLoopDelayMs
}

describeWithRedis('one limit', () => {
  test.each(processCounts)(
    'shared by %i processes is never exceeded, and each process gets a share',
    async (processes) => {
      const redis = await ownRedis()
      const senders = await start(processes, redis.url)
      await untilArrived(senders, limit * seconds)
      const result = await senders.end()
      const { arrivals, refusals } = result.server
      const sends = sendsOf(result)
      const slots = slotsOf(result)
      const span = certainSpanMs(result)
      const scripts = result.done.reduce((sum, each) => sum + each.scripts, 0)
      // Includes slots that arrived too late on a busy machine and were returned.
      const slotsTaken = result.done.reduce((sum, each) => sum + (each.slotsTaken ?? 0), 0)
      tally(`${processes} processes, one limit`, {
        requests: arrivals.length,
        refused: refusals.length,
        'most slots in a second': maxInWindow(slots),
        'ms of which the service saw no more than the limit': Math.round(span),
      })
      // Every request has a slot, and no second has more slots than the limit. This is exact, whatever the machine's
      // load.
      expect(arrivals.length).toBe(sends.length)
      expect(sends.length).toBeLessThanOrEqual(slots.length)
      expect(maxInWindow(slots)).toBeLessThanOrEqual(limit)
      expect(maxInWindow(arrivals, span)).toBeLessThanOrEqual(limit)
      if (span === 1_000) expect(refusals).toEqual([])
      expect(scripts / slotsTaken).toBeLessThan(1.5)
      for (const entry of result.done) expect(entry.sends.length).toBeGreaterThan(0)
    },
  )

  test('survives the kill of one process, and an emptied Redis with a gap of at least one second', async () => {
    const redis = await ownRedis()
    const senders = await start(4, redis.url)
    await untilArrived(senders, limit)
    const before = longestGap((await senders.seen()).arrivals)
    senders.kill()
    const killed = (await senders.seen()).arrivals.length
    await untilArrived(senders, killed + limit)
    const stopped = (await senders.seen()).arrivals.length
    await redis.stop()
    await redis.startAgain()
    await untilArrived(senders, stopped + 2 * limit)
    const result = await senders.end()
    const { arrivals, refusals } = result.server
    const gap = longestGap(arrivals.slice(stopped - 1))
    const dip = longestGap(arrivals.slice(killed - 1, stopped))
    tally('a kill, and Redis emptied', {
      requests: arrivals.length,
      refused: refusals.length,
      'ms of gap': Math.round(gap.ms),
    })
    // The killed process held six slots at most; the others continue as before.
    expect(dip.ms).toBeLessThan(Math.max(1_200, 4 * before.ms) + delayedMs(result))
    // An empty log has no record of the last second, so no one sends during that time.
    expect(gap.ms).toBeGreaterThan(certainSpanMs(result) - 100)
    expect(maxInWindow(slotsOf(result))).toBeLessThanOrEqual(limit)
    expect(maxInWindow(arrivals, certainSpanMs(result))).toBeLessThanOrEqual(limit)
  })
})

describe('without a shared allowance', () => {
  test('two processes send far more than the limit, so the counts above can detect it', async () => {
    const senders = await start(2, null, 1_000)
    await until('a second with too many', async () => {
      const maxPerSecond = maxInWindow((await senders.seen()).arrivals)
      return maxPerSecond > limit + 20 || String(maxPerSecond)
    })
    const result = await senders.end()
    expect(slotsOf(result)).toEqual([])
    expect(maxInWindow(sendsOf(result))).toBeGreaterThan(limit)
  })
})
