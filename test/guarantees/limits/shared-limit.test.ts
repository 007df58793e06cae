// Real processes, a real Redis and a service that refuses whatever is over its limit in any second: one allowance for all.

import { describe, expect, onTestFinished, test } from 'vitest'
import { mostInASecond, sendsOf, startCrew } from '#test/support/limits/crew.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { type RedisServer, startRedis } from '#test/support/redis-server.ts'
import { sized, tally } from '#test/support/size.ts'

const limit = 60
const seconds = sized(3, 30)

/** A busy machine holds a process, or the service that counts, between its look at the clock and its act; what lets too much through does so each time. */
const again = { retry: 2 }

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function ownRedis(): Promise<RedisServer> {
  const redis = await startRedis()
  if (!redis) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => redis.stop())
  return redis
}

const start = (processes: number, redisUrl: string | null, refusesOver = limit) =>
  startCrew({ processes, redisUrl, limit, marginMs: 20, atOnce: 24, server: { limit: refusesOver, answerMs: [5, 60] } })

/** The longest time without any of these, and when it ended. */
function longestGap(times: readonly number[]): { ms: number; until: number } {
  const gaps = times.slice(1).map((at, i) => ({ ms: at - (times[i] ?? 0), until: at }))
  return gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most), { ms: 0, until: 0 })
}

describeWithRedis('one limit', () => {
  test.each([1, 2, 4])('shared by %i processes is used up and never exceeded', again, async (processes) => {
    const redis = await ownRedis()
    const crew = await start(processes, redis.url)
    await pass(1_000 + seconds * 1_000)
    const result = await crew.end()
    const { arrivals, refusals } = result.server
    const sends = sendsOf(result)
    const share = ((sends.length - 1) * 1_000) / ((sends.at(-1) ?? 0) - (sends[0] ?? 0)) / limit
    const scripts = result.done.reduce((sum, each) => sum + each.scripts, 0)
    tally(`${processes} processes, one limit`, {
      requests: arrivals.length,
      refused: refusals.length,
      'per cent of the limit': Math.round(share * 1_000) / 10,
      'most in a second': mostInASecond(sends),
    })
    // One more where the machine held a process between its look at the clock and its note of it.
    expect(mostInASecond(sends)).toBeLessThanOrEqual(limit + 1)
    expect(refusals.length).toBeLessThanOrEqual(2)
    // A refusal costs a second's pause.
    expect(share).toBeGreaterThan(0.85 - refusals.length * 0.3)
    expect(scripts / sends.length).toBeLessThan(1.1)
    for (const each of result.done) expect(each.sends.length).toBeGreaterThan(sends.length / processes / 2)
  })

  test(
    'survives the kill of one process without a dip, and a Redis that comes back empty with a gap of some seconds',
    again,
    async () => {
      const redis = await ownRedis()
      const crew = await start(4, redis.url)
      await pass(2_000)
      crew.kill()
      await pass(1_500)
      await redis.stop()
      await pass(300)
      await redis.startAgain()
      await pass(3_500)
      const { arrivals, refusals } = (await crew.end()).server
      const gap = longestGap(arrivals)
      const before = arrivals.filter((at) => at < gap.until - gap.ms)
      const after = arrivals.filter((at) => at > gap.until)
      tally('a kill, and Redis emptied', {
        requests: arrivals.length,
        refused: refusals.length,
        'ms of gap': Math.round(gap.ms),
      })
      expect(longestGap(before).ms).toBeLessThan(1_200)
      expect(gap.ms).toBeGreaterThan(900)
      expect(gap.ms).toBeLessThan(4_000)
      expect(after.length).toBeGreaterThan(40)
      expect(refusals.length).toBeLessThanOrEqual(2)
      expect(mostInASecond(arrivals)).toBeLessThanOrEqual(limit + 6)
    },
  )
})

describe('without a shared allowance', () => {
  test('two processes send far more than the limit, so the counts above can tell', async () => {
    const crew = await start(2, null, 1_000)
    await pass(1_500)
    const result = await crew.end()
    expect(mostInASecond(sendsOf(result))).toBeGreaterThan(limit + 20)
    expect(mostInASecond(result.server.arrivals)).toBeGreaterThan(limit + 20)
  })
})
