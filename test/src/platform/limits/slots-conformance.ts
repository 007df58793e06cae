// The tests that every implementation of slots must pass, wherever the log of sends is stored.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Stage, take } from './slots-harness.ts'

/** How late a slot may be used, and therefore how early the next window may begin. */
const lateMs = 3

/** Returns the times between each send and the one `limit` sends later. */
function gapsOver(times: readonly number[], limit: number): number[] {
  return times.slice(limit).map((at, i) => at - (times[i] ?? 0))
}

export function testSlots(name: string, open: () => Promise<Stage>, { runs }: { runs: number }): void {
  describe(`with slots ${name},`, () => {
    test('no window of one second contains more sends than the limit, whatever the arrivals', async () => {
      const burst = fc.record({ after: fc.nat({ max: 700 }), waiters: fc.nat({ max: 9 }) })
      const arrivals = fc.array(burst, { minLength: 1, maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 2, max: 9 }),
          fc.constantFrom(1, 20),
          arrivals,
          async (limit, margin, bursts) => {
            const stage = await open()
            const slots = stage.open(limit, margin)
            const times: number[] = []
            let asked = 0
            for (const { after, waiters } of bursts) {
              await stage.pass(after)
              take(stage, slots, waiters, times)
              asked += waiters
            }
            await stage.pass(Math.ceil(asked / limit + 2) * (1_000 + margin))
            expect(times).toHaveLength(asked)
            for (const gap of gapsOver(times, limit)) expect(gap).toBeGreaterThanOrEqual(1_000 + margin - lateMs)
          },
        ),
        { numRuns: runs },
      )
    })

    test('steady demand gets the full limit minus the margin', async () => {
      const stage = await open()
      const times = take(stage, stage.open(60, 20), 240)
      await stage.pass(6_000)
      expect(times).toHaveLength(240)
      const share = (239 / ((times.at(-1) ?? 0) - (times[0] ?? 0))) * (1_000 / 60)
      expect(share).toBeGreaterThanOrEqual(0.975)
      expect(share).toBeLessThanOrEqual(0.99)
    })

    test('after an idle time the first send is immediate, and a burst makes up for no more than 100 ms', async () => {
      const stage = await open()
      const slots = stage.open(20, 20)
      take(stage, slots, 1)
      await stage.pass(4_000)
      const from = stage.now()
      const times = take(stage, slots, 20)
      await stage.pass(1_500)
      expect((times[0] ?? 0) - from).toBeLessThanOrEqual(2)
      // Two sends make up for 51 ms each; the other intervals are even.
      expect((times[19] ?? 0) - from).toBeGreaterThanOrEqual(17 * 51 - lateMs)
      expect((times[19] ?? 0) - from).toBeLessThanOrEqual(19 * 51)
    })

    test('waiters are served in order of arrival', async () => {
      const stage = await open()
      const slots = stage.open(20)
      const order: number[] = []
      for (let i = 0; i < 12; i++) slots.take().then(() => order.push(i))
      await stage.pass(2_000)
      expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    })

    test('an aborted waiter is rejected with the reason, and its slot goes to the next waiter', async () => {
      const stage = await open()
      const slots = stage.open(2)
      const first = take(stage, slots, 1)
      await stage.pass(2_500)
      expect(first).toHaveLength(1)
      const abort = new AbortController()
      const [second, third] = [slots.take(abort.signal), slots.take(abort.signal)]
      const last = take(stage, slots, 1)
      abort.abort(new Error('stopping'))
      await expect(second).rejects.toThrow('stopping')
      await expect(third).rejects.toThrow('stopping')
      const from = stage.now()
      await stage.pass(1_100)
      expect(last).toHaveLength(1)
      expect((last[0] ?? 0) - from).toBeLessThan(1_030)
    })

    test('during a pause waiters get its remaining time instead of a slot, and after it the pace is slower for a while', async () => {
      const stage = await open()
      const slots = stage.open(10, 20)
      take(stage, slots, 1)
      await stage.pass(2_500)
      slots.pause({ ms: 3_000, sentAgoMs: 0, namedByService: true })
      await stage.pass(10)
      const [retryMs] = await Promise.all([slots.take(), stage.pass(5)])
      expect(retryMs).toBeGreaterThan(2_900)
      expect(retryMs).toBeLessThanOrEqual(3_000)
      await stage.pass(3_000)
      const soon = take(stage, slots, 25)
      await stage.pass(3_000)
      expect(Math.min(...gapsOver(soon, 10))).toBeGreaterThanOrEqual(1_048 - lateMs)
      await stage.rest(120_000)
      const late = take(stage, slots, 25)
      await stage.pass(3_000)
      expect(Math.min(...gapsOver(late, 10))).toBeLessThanOrEqual(1_024)
    })

    test('a pause that the service names during another one extends it, but never shortens it', async () => {
      const stage = await open()
      const slots = stage.open(10, 20)
      take(stage, slots, 1)
      await stage.pass(2_500)
      const restAfter = async (ms: number) => {
        slots.pause({ ms, sentAgoMs: 0, namedByService: true })
        await stage.pass(10)
        return (await Promise.all([slots.take(), stage.pass(5)]))[0]
      }
      await restAfter(3_000)
      const rest = await restAfter(1_000)
      expect(rest).toBeGreaterThan(2_900)
      expect(rest).toBeLessThanOrEqual(3_000)
      expect(await restAfter(5_000)).toBeGreaterThan(4_900)
    })

    test('a refusal of a request that was sent before the last pause changes nothing, and a later one costs a second', async () => {
      const stage = await open()
      const slots = stage.open(10, 20)
      take(stage, slots, 1)
      await stage.pass(2_500)
      const restAfter = async (sentAgoMs: number) => {
        slots.pause({ ms: 100, sentAgoMs, namedByService: false })
        await stage.pass(5)
        const rest = slots.take()
        await stage.pass(150)
        return rest
      }
      expect(await restAfter(20)).toBeGreaterThan(80)
      expect(await restAfter(400)).toBe(0)
      expect(await restAfter(20)).toBeGreaterThan(980)
    })

    test('the margin is wide until answers show that the way is even, and widens if they show the contrary', async () => {
      const stage = await open()
      const slots = stage.open(10, 20, { cautionMs: 80 })
      const gap = async () => {
        const times = take(stage, slots, 25)
        await stage.pass(3_000)
        expect(times).toHaveLength(25)
        // A wider margin of another process would count for five seconds.
        await stage.rest(6_000)
        return Math.min(...gapsOver(times, 10))
      }
      take(stage, slots, 1)
      await stage.pass(2_500)
      expect(await gap()).toBeGreaterThanOrEqual(1_080 - lateMs)
      for (let n = 0; n < 30; n++) slots.noteAccepted({ roundTripMs: 40, waited: false })
      const even = await gap()
      expect(even).toBeGreaterThanOrEqual(1_020 - lateMs)
      expect(even).toBeLessThanOrEqual(1_024)
      for (let n = 0; n < 30; n++) slots.noteAccepted({ roundTripMs: 40 + 2 * n, waited: false })
      expect(await gap()).toBeGreaterThanOrEqual(1_050 - lateMs)
      expect(await gap()).toBeLessThanOrEqual(1_064)
    })

    test('a second refusal during a pause is ignored, and a refusal right after a pause doubles the next pause', async () => {
      const stage = await open()
      const slots = stage.open(10, 20)
      take(stage, slots, 1)
      await stage.pass(2_500)
      const step = { ms: 1_000, sentAgoMs: 0, namedByService: false }
      const rest = async () => {
        await stage.pass(5)
        return (await Promise.all([slots.take(), stage.pass(5)]))[0]
      }
      slots.pause(step)
      slots.pause(step)
      expect(await rest()).toBeLessThanOrEqual(1_000)
      await stage.pass(1_100)
      slots.pause(step)
      expect(await rest()).toBeGreaterThan(1_900)
      await stage.pass(2_100)
      slots.pause(step)
      expect(await rest()).toBeGreaterThan(3_900)
      await stage.pass(30_000)
      slots.pause(step)
      expect(await rest()).toBeLessThanOrEqual(1_000)
    })
  })
}
