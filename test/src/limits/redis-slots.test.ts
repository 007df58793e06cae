// What only slots in Redis have to cope with: each other, a Redis that forgets, is away or is set to another time, and a process that stalls.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextSend, type Pace } from '#src/limits/pace.ts'
import { slotNames } from '#src/limits/slot-names.ts'
import { nextSlots } from '#src/limits/slot-scripts.ts'
import { openRedis } from '#src/redis/open-redis.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { redisStage, take } from './stage.ts'

const leastGap = (times: readonly number[], limit: number) =>
  Math.min(...times.slice(limit).map((at, i) => at - (times[i] ?? 0)))

describeWithRedis('slots in Redis', ({ url }) => {
  const open = redisStage(url)

  test('processes share one allowance about evenly, in far fewer scripts than one for each send', async () => {
    const stage = await open()
    const sent = [0, 1, 2, 3].map(() => take(stage, stage.open(60), 60))
    await stage.pass(3_000)
    const all = sent.flat().sort((a, b) => a - b)
    expect(all.length).toBeGreaterThan(110)
    expect(leastGap(all, 60)).toBeGreaterThanOrEqual(1_017)
    for (const each of sent) expect(each.length).toBeGreaterThan(all.length / 4 - 6)
    expect(stage.scripts() / all.length).toBeLessThan(0.75)
  })

  test('an empty Redis is given a full second first, also one that was emptied on the way', async () => {
    const stage = await open()
    const times = take(stage, stage.open(20), 100)
    await stage.pass(2_000)
    expect(times[0]).toBeGreaterThanOrEqual(1_020)
    expect(times[0]).toBeLessThanOrEqual(1_024)
    const before = times.length
    await stage.forget()
    await stage.pass(2_000)
    const held = times.slice(before).filter((at) => at < 2_150).length
    expect(held).toBeLessThanOrEqual(4)
    expect((times[before + held] ?? 0) - 2_000).toBeGreaterThanOrEqual(1_000)
    expect(leastGap(times, 20)).toBeGreaterThanOrEqual(1_017)
  })

  test.each(['log', 'state'] as const)(
    'a %s that a server with an eviction policy drops costs no second its limit',
    async (key) => {
      const stage = await open()
      const slots = stage.open(20)
      const times = take(stage, slots, 20)
      await stage.pass(2_300)
      expect(times).toHaveLength(20)
      // What a rest left is being made good, and only the log knows how much of the second that has used.
      take(stage, slots, 40, times)
      await stage.pass(200)
      await stage.forget(key)
      await stage.pass(3_500)
      expect(times).toHaveLength(60)
      expect(leastGap(times, 20)).toBeGreaterThanOrEqual(1_017)
    },
  )

  test("a log from the future, after Redis's clock was set back by an hour, costs a second and no more", async () => {
    const stage = await open()
    const times = take(stage, stage.open(20), 100)
    await stage.pass(2_000)
    stage.setRedisClock(-3_600_000)
    await stage.pass(2_000)
    expect(times.filter((at) => at > 2_150 && at < 3_000)).toEqual([])
    expect(times.filter((at) => at > 3_000).length).toBeGreaterThan(12)
    expect(leastGap(times, 20)).toBeGreaterThanOrEqual(1_017)
  })

  test('a pause from the future is none, and a jump ahead lets through the debt and what was in hand, no more', async () => {
    const stage = await open()
    const slots = stage.open(20)
    const times = take(stage, slots, 100)
    await stage.pass(2_000)
    stage.setRedisClock(60_000)
    await stage.pass(1_000)
    for (let from = 1_020; from < 2_500; from += 100)
      expect(times.filter((at) => at > from && at <= from + 1_000).length).toBeLessThanOrEqual(24)
    slots.pause({ ms: 5_000, asked: true })
    await stage.pass(5)
    stage.setRedisClock(-60_000)
    await stage.pass(10)
    const late = take(stage, stage.open(20), 1)
    await stage.pass(2_500)
    expect(late).toHaveLength(1)
  })

  test('while Redis is away nothing is sent and takers are told to come again soon; back, the pace is the usual one', async () => {
    const stage = await open()
    const times = take(stage, stage.open(20), 100)
    await stage.pass(2_000)
    stage.cut(true)
    await stage.pass(200)
    const before = times.length
    const [told] = await Promise.all([stage.open(20).take(), stage.pass(5)])
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThanOrEqual(1_000)
    await stage.pass(2_800)
    expect(times).toHaveLength(before)
    stage.cut(false)
    await stage.pass(2_500)
    expect(times.length - before).toBeGreaterThan(25)
    expect(leastGap(times, 20)).toBeGreaterThanOrEqual(1_017)
  })

  test('a slot that a stalled process missed is given back, not used late', async () => {
    const stage = await open()
    const [steady, stalling] = [stage.open(20), stage.open(20)]
    const times = take(stage, stalling, 60)
    take(stage, steady, 60, times)
    await stage.pass(1_100)
    for (let i = 0; i < 10; i++) {
      stage.stall(40)
      await stage.pass(150)
    }
    await stage.pass(200)
    expect(leastGap(times, 20)).toBeGreaterThanOrEqual(1_017)
    // Room that was missed is made good: at most one send in ten is lost.
    expect(times.length).toBeGreaterThanOrEqual(36)
  })

  test('the lowest limit of several processes counts for all, they are told, and it is forgotten a minute after its last use', async () => {
    const stage = await open()
    const told: number[] = []
    const high = stage.open(40, 20, (limit) => told.push(limit))
    take(stage, stage.open(10), 1)
    await stage.pass(3_000)
    const slow = take(stage, high, 15)
    await stage.pass(3_000)
    expect(slow).toHaveLength(15)
    expect(leastGap(slow, 10)).toBeGreaterThanOrEqual(1_017)
    await stage.rest(61_000)
    const quick = take(stage, high, 15)
    await stage.pass(800)
    expect(quick).toHaveLength(15)
    expect(told).toEqual([10, 40])
  })

  test('says the same as the rule in this process', async () => {
    const redis = await openRedis({ url })
    try {
      const asks = fc.array(fc.nat({ max: 400 }), { minLength: 5, maxLength: 30 })
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 8 }), asks, async (limit, waits) => {
          const id = `test-{${crypto.randomUUID()}}`
          const ask = async (ms: number) => {
            const time = `{'${Math.floor(ms / 1_000)}', '${(ms % 1_000) * 1_000}'}`
            const lua = nextSlots.lua.replace("redis.call('TIME')", time)
            const answer = await redis.run(
              { name: 'slots', lua },
              [`${id}-log`, `${id}-state`],
              [limit, 1_020_000, 0, 1],
            )
            return answer as [number, number, number, number]
          }
          let now = 10_000
          const first = (await ask(now))[3] / 1_000
          let pace: Pace = { log: [first], due: first }
          for (const wait of waits) {
            now += wait
            const [, kind, , slot] = await ask(now)
            const { at, due } = nextSend(pace, { limit, windowMs: 1_020 }, now)
            const expected = Math.max(at, now)
            if (kind === 2) expect(expected).toBeGreaterThan(now + 2_999)
            else {
              expect(Math.abs(slot / 1_000 - expected)).toBeLessThan(0.01)
              pace = { log: [...pace.log, slot / 1_000].slice(-limit), due }
            }
          }
        }),
        { numRuns: 25 },
      )
    } finally {
      redis.close()
    }
  })

  test('nothing in Redis says whose allowance it is, and all of it is forgotten in a day', async () => {
    const redis = await openRedis({ url })
    try {
      const reveal = (text: string) => ({ reveal: () => text })
      const account = {
        baseUrl: 'https://demo.example/api',
        key: reveal('planted-key'),
        secret: reveal('planted-secret'),
      }
      const namesOf = slotNames(account)
      const [log, state] = namesOf('invite')
      await redis.run(nextSlots, [log, state], [60, 1_020_000, 0, 1])
      const ttl = await redis.run(
        { name: 'ttl', lua: "return {redis.call('PTTL', KEYS[1]), redis.call('PTTL', KEYS[2])}" },
        [log, state],
        [],
      )
      for (const ms of ttl as number[]) expect(ms).toBeGreaterThan(86_000_000)
      const other = slotNames({ ...account, secret: reveal('another') })('invite')
      const names = [log, state, ...namesOf('auth'), ...namesOf('report'), ...other]
      expect(new Set(names).size).toBe(8)
      expect(names.join()).not.toMatch(/planted|example|invite|auth|report/)
    } finally {
      redis.close()
    }
  })
})
