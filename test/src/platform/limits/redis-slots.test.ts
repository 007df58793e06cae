// Slots in Redis under the conditions that only they have: several processes, an emptied or unavailable Redis, changed
// clocks, and stalled processes.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextSend, type Pace } from '#src/platform/limits/pace.ts'
import { slotNames } from '#src/platform/limits/shared-slots.ts'
import { openSlotClient, RedisTooFarError } from '#src/platform/limits/slot-client.ts'
import { nextSlots } from '#src/platform/limits/slot-scripts.ts'
import { openRedis, type RunScript } from '#src/platform/redis/open-redis.ts'
import { Secret } from '#src/platform/secret.ts'
import { steppedClock } from '#test/support/clock.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { callAgain, redisStage, take } from './slots-harness.ts'

const minGap = (times: readonly number[], limit: number) =>
  Math.min(...times.slice(limit).map((at, i) => at - (times[i] ?? 0)))

describeWithRedis('with slots in Redis,', ({ url }) => {
  const open = redisStage(url)

  test('processes share one allowance about evenly, with far fewer scripts than sends', async () => {
    const stage = await open()
    const sent = [0, 1, 2, 3].map(() => take(stage, stage.open(60), 60))
    await stage.pass(3_000)
    const all = sent.flat().sort((a, b) => a - b)
    expect(all.length).toBeGreaterThan(110)
    expect(minGap(all, 60)).toBeGreaterThanOrEqual(1_017)
    for (const entry of sent) expect(entry.length).toBeGreaterThan(all.length / 4 - 6)
    expect(stage.scripts() / all.length).toBeLessThan(0.75)
  })

  test.each([
    ['one process uses', [6]],
    ['two processes use, half each,', [3, 3]],
  ])(
    'while Redis is 30 ms away each way, %s the limit with callers who come again after 50 ms',
    async (_, processes) => {
      const stage = await open()
      stage.setDistance(30)
      const sent = processes.map((callers) => callAgain(stage, stage.open(60), { callers, afterMs: 50 }))
      await stage.pass(2_000)
      const from = sent.map(({ length }) => length)
      const scriptsBefore = stage.scripts()
      await stage.pass(3_000)
      const all = sent.flat().sort((a, b) => a - b)
      const later = sent.map(({ length }, n) => length - (from[n] ?? 0))
      const count = later.reduce((sum, each) => sum + each)
      expect(count).toBeGreaterThanOrEqual(0.9 * 180)
      for (const each of later) expect(each).toBeGreaterThan((0.8 * count) / processes.length)
      expect(minGap(all, 60)).toBeGreaterThanOrEqual(1_017)
      expect((stage.scripts() - scriptsBefore) / count).toBeLessThan(0.75)
    },
  )

  test('an empty Redis first waits a full second, even if it was emptied during use', async () => {
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
    expect(minGap(times, 20)).toBeGreaterThanOrEqual(1_017)
  })

  test.each(['log', 'state'] as const)(
    'a %s evicted by the server does not make any second exceed its limit',
    async (key) => {
      const stage = await open()
      const slots = stage.open(20)
      const times = take(stage, slots, 20)
      await stage.pass(2_300)
      expect(times).toHaveLength(20)
      // The next sends make up for idle time, and only the log shows how many sends the last second already contains.
      take(stage, slots, 40, times)
      await stage.pass(200)
      await stage.forget(key)
      await stage.pass(3_500)
      expect(times).toHaveLength(60)
      expect(minGap(times, 20)).toBeGreaterThanOrEqual(1_017)
    },
  )

  test('a log from the future, after Redis’s clock was rolled back by an hour, costs no more than a second', async () => {
    const stage = await open()
    const times = take(stage, stage.open(20), 100)
    await stage.pass(2_000)
    stage.setRedisClock(-3_600_000)
    await stage.pass(2_000)
    expect(times.filter((at) => at > 2_150 && at < 3_000)).toEqual([])
    expect(times.filter((at) => at > 3_000).length).toBeGreaterThan(12)
    expect(minGap(times, 20)).toBeGreaterThanOrEqual(1_017)
  })

  test('after Redis’s clock jumps ahead, few extra slots are assigned, and once it is rolled back, a pause in the future is void', async () => {
    const stage = await open()
    const slots = stage.open(20)
    const times = take(stage, slots, 100)
    await stage.pass(2_000)
    stage.setRedisClock(60_000)
    await stage.pass(1_000)
    for (let from = 1_020; from < 2_500; from += 100)
      expect(times.filter((at) => at > from && at <= from + 1_000).length).toBeLessThanOrEqual(24)
    slots.pause({ ms: 5_000, sentAgoMs: 0, namedByService: true })
    await stage.pass(5)
    stage.setRedisClock(-60_000)
    await stage.pass(10)
    const late = take(stage, stage.open(20), 1)
    await stage.pass(2_500)
    expect(late).toHaveLength(1)
  })

  test('while Redis is unavailable nothing is sent and waiters retry within a second; afterwards the pace is as usual', async () => {
    const stage = await open()
    const times = take(stage, stage.open(20), 100)
    await stage.pass(2_000)
    stage.cut(true)
    await stage.pass(200)
    const before = times.length
    const [retryMs] = await Promise.all([stage.open(20).take(), stage.pass(5)])
    expect(retryMs).toBeGreaterThan(0)
    expect(retryMs).toBeLessThanOrEqual(1_000)
    await stage.pass(2_800)
    expect(times).toHaveLength(before)
    stage.cut(false)
    await stage.pass(2_500)
    expect(times.length - before).toBeGreaterThan(25)
    expect(minGap(times, 20)).toBeGreaterThanOrEqual(1_017)
  })

  test('a slot missed by a stalled process is returned, not used late', async () => {
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
    expect(minGap(times, 20)).toBeGreaterThanOrEqual(1_017)
    // Most missed slots are made up for: at most one send in ten is lost.
    expect(times.length).toBeGreaterThanOrEqual(36)
  })

  test('the lowest limit of several processes applies to all, is reported to them, and is forgotten a minute after its last use', async () => {
    const stage = await open()
    const reported: number[] = []
    const high = stage.open(40, 20, { onLimit: (limit) => reported.push(limit) })
    take(stage, stage.open(10), 1)
    await stage.pass(3_000)
    const slow = take(stage, high, 15)
    await stage.pass(3_000)
    expect(slow).toHaveLength(15)
    expect(minGap(slow, 10)).toBeGreaterThanOrEqual(1_017)
    await stage.rest(61_000)
    const quick = take(stage, high, 15)
    await stage.pass(800)
    expect(quick).toHaveLength(15)
    expect(reported).toEqual([10, 40])
  })

  test('the widest margin of several processes applies to all, and is forgotten five seconds after its last use', async () => {
    const stage = await open()
    const narrow = stage.open(20, 20)
    take(stage, stage.open(20, 100), 1)
    await stage.pass(2_500)
    const wide = take(stage, narrow, 45)
    await stage.pass(3_500)
    expect(wide).toHaveLength(45)
    expect(minGap(wide, 20)).toBeGreaterThanOrEqual(1_097)
    await stage.rest(6_000)
    const later = take(stage, narrow, 45)
    await stage.pass(3_500)
    expect(later).toHaveLength(45)
    expect(minGap(later, 20)).toBeLessThanOrEqual(1_024)
  })

  test('a refusal of one process does not count again for another, whose request was sent before it', async () => {
    const stage = await open()
    const [first, second] = [stage.open(20), stage.open(20)]
    take(stage, first, 1)
    await stage.pass(2_500)
    first.pause({ ms: 100, sentAgoMs: 50, namedByService: false })
    await stage.pass(200)
    second.pause({ ms: 100, sentAgoMs: 250, namedByService: false })
    await stage.pass(5)
    const times = take(stage, second, 1)
    await stage.pass(100)
    expect(times).toHaveLength(1)
  })

  test('the keys in Redis do not reveal whose limit they are for, and expire in a day', async () => {
    const redis = await openRedis({ url })
    try {
      const account = {
        baseUrl: 'https://demo.example/api',
        key: new Secret('planted-key'),
        secret: new Secret('planted-secret'),
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
      const other = slotNames({ ...account, secret: new Secret('another') })('invite')
      const names = [log, state, ...namesOf('auth'), ...namesOf('report'), ...other]
      expect(new Set(names).size).toBe(8)
      expect(names.join()).not.toMatch(/planted|example|invite|auth|report/)
    } finally {
      redis.close()
    }
  })

  test('the script assigns the same times as the rule in TypeScript', async () => {
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
})

test('a slot whose time is not known well enough is not used, and is given back with the next request', async () => {
  const clock = steppedClock()
  const calls: (readonly (string | number)[])[] = []
  let answerMs = 600
  const run: RunScript = async (_script, _keys, args) => {
    calls.push(args)
    await clock.advance(answerMs)
    return [1_000_000, 0, 60, 1_001_000]
  }
  const client = openSlotClient({ limit: 60, marginMs: () => 20, names: ['log', 'state'], run, clock })
  await expect(client.request(1)).rejects.toThrow(RedisTooFarError)
  answerMs = 10
  expect(await client.request(1)).toMatchObject({ kind: 'slots', slots: [{ member: '1001000' }] })
  expect(calls.map(([, , , count, ...givenBack]) => [count, givenBack])).toEqual([
    [1, []],
    [1, ['1001000']],
  ])
})
