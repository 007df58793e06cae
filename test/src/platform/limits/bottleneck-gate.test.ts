// What a gate counts, how it waits for slots and pauses, and what it tells its caller, on a clock that a test moves.

import { describe, expect, onTestFinished, test } from 'vitest'
import { openBottleneckGate } from '#src/platform/limits/bottleneck-gate.ts'
import { type GatesOptions, openGates } from '#src/platform/limits/gates.ts'
import { GateShutError, LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import type { GatePause, Slots } from '#src/platform/limits/slots.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { steppedClock } from '#test/support/clock.ts'
import { until } from '#test/support/until.ts'

/** Slots that are free, unless `answers` says for how long there are none. */
function givenSlots(answers: number[] = []): Slots & { pauses: GatePause[] } {
  const pauses: GatePause[] = []
  return {
    pauses,
    take: async () => answers.shift() ?? 0,
    noteAccepted() {},
    pause: (pause) => void pauses.push(pause),
  }
}

function openGate({ clock = steppedClock() as Clock, slots = givenSlots() as Slots, maxConcurrent = 5 } = {}) {
  const waits: number[] = []
  const onBegin = (waitedMs: number) => void waits.push(waitedMs)
  const gate = openBottleneckGate({ name: 'report', limit: 1_000, maxConcurrent, slots, clock, onBegin })
  onTestFinished(gate.stop)
  return { gate, waits }
}

/** The limiter queues calls one after the other, and takes some timers of a millisecond for each. So do we, after it. */
async function limiterTurns(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await systemClock.sleep(1)
}

const quiet = { waiting: 0, running: 0, sent: 0, paused: false, pausedMs: 0, lastSecond: 0 }

describe('a gate', () => {
  test('counts what waits, what runs, and what has begun, in all and within the last second', async () => {
    const clock = steppedClock()
    const { gate } = openGate({ clock, maxConcurrent: 1 })
    expect(gate.counts()).toEqual(quiet)
    const end = Promise.withResolvers<string>()
    const first = gate.pass(() => end.promise)
    const second = gate.pass(async () => 'second')
    await until('the first to begin', () => gate.counts().running === 1, { everyMs: 1 })
    expect(gate.counts()).toEqual({ ...quiet, waiting: 1, running: 1, sent: 1, lastSecond: 1 })
    await clock.advance(999)
    expect(gate.counts().lastSecond).toBe(1)
    await clock.advance(1)
    expect(gate.counts()).toEqual({ ...quiet, waiting: 1, running: 1, sent: 1 })
    end.resolve('first')
    expect(await Promise.all([first, second])).toEqual(['first', 'second'])
    expect(gate.counts()).toEqual({ ...quiet, sent: 2, lastSecond: 1 })
  })

  test('forgets a call that failed', async () => {
    const { gate } = openGate()
    await expect(gate.pass(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(gate.counts()).toEqual({ ...quiet, sent: 1, lastSecond: 1 })
  })

  test('is paused until the pause that ends last is over, and tells its slots of each', async () => {
    const clock = steppedClock()
    const slots = givenSlots()
    const { gate } = openGate({ clock, slots })
    gate.pause(500)
    gate.pause(null)
    expect(slots.pauses).toEqual([
      { ms: 500, namedByService: true, sentAgoMs: 0 },
      { ms: 6, namedByService: false, sentAgoMs: 0 },
    ])
    expect(gate.counts()).toEqual({ ...quiet, paused: true, pausedMs: 500 })
    await clock.advance(200)
    expect(gate.counts()).toEqual({ ...quiet, paused: true, pausedMs: 300 })
    await clock.advance(300)
    expect(gate.counts()).toEqual(quiet)
    await clock.advance(300)
    expect(gate.counts()).toEqual(quiet)
  })

  test('waits as long as the slots say, and tells how long a call has waited', async () => {
    const clock = steppedClock()
    const { gate, waits } = openGate({ clock, slots: givenSlots([300, 50]) })
    await clock.advance(1_000)
    const passed = gate.pass(async () => clock.monotonicMs())
    await until('the slots to refuse', () => gate.counts().pausedMs === 300, { everyMs: 1 })
    await clock.advance(299)
    expect(gate.counts()).toEqual({ ...quiet, waiting: 1, paused: true, pausedMs: 1 })
    await clock.advance(51)
    expect(await passed).toBe(1_350)
    expect(waits).toEqual([350])
  })

  test('does not use a slot that was free only when a pause had begun, or the gate was stopped', async () => {
    const clock = steppedClock()
    const asked: PromiseWithResolvers<number>[] = []
    const take = () => {
      const slot = Promise.withResolvers<number>()
      asked.push(slot)
      return slot.promise
    }
    const { gate } = openGate({ clock, slots: { ...givenSlots(), take } })
    const passed = gate.pass(async () => clock.monotonicMs())
    await until('the first request for a slot', () => asked.length === 1, { everyMs: 1 })
    gate.pause(500)
    asked[0]?.resolve(0)
    await clock.advance(500)
    await until('the second request', () => asked.length === 2, { everyMs: 1 })
    asked[1]?.resolve(0)
    expect(await passed).toBe(500)
    const late = gate.pass(async () => 'never')
    late.catch(() => {})
    await until('the third request', () => asked.length === 3, { everyMs: 1 })
    gate.stop()
    asked[2]?.resolve(0)
    await expect(late).rejects.toThrow(LimitsClosedError)
  })

  test('sleeps for a minute at most before it looks again', async () => {
    const stepped = steppedClock()
    const slept: number[] = []
    const sleep: Clock['sleep'] = (ms, signal) => {
      slept.push(ms)
      return stepped.sleep(ms, signal)
    }
    const { gate } = openGate({ clock: { ...stepped, sleep } })
    gate.pause(150_000)
    const passed = gate.pass(async () => stepped.monotonicMs())
    await until('the call to sleep', () => slept.length === 1, { everyMs: 1 })
    await stepped.advance(150_000)
    expect(await passed).toBe(150_000)
    expect(slept).toEqual([60_000, 60_000, 30_000])
  })

  test('turns a call away that cannot wait for the end of a pause, and says when that is', async () => {
    const clock = steppedClock()
    const { gate } = openGate({ clock })
    gate.pause(5_001)
    const away = gate.pass(async () => 'never', { mayWaitMs: 5_000 })
    await expect(away).rejects.toThrow(new GateShutError('report', 5_001))
    await expect(away).rejects.toMatchObject({ name: 'GateShutError', retryAfterMs: 5_001 })
    await expect(away).rejects.toThrow(
      'The gate "report" is shut for 6 s: the service asked for a pause, or Redis, which holds the shared limit, is unavailable. Nothing was sent.',
    )
    await clock.advance(1)
    const waiting = gate.pass(async () => clock.monotonicMs(), { mayWaitMs: 5_000 })
    await until('the call to wait', () => gate.counts().waiting === 1, { everyMs: 1 })
    await limiterTurns()
    await clock.advance(5_000)
    expect(await waiting).toBe(5_001)
  })

  test('lets a call of no stated priority pass before those of priority 6, and after those of 4', async () => {
    const { gate } = openGate({ maxConcurrent: 1 })
    const end = Promise.withResolvers<void>()
    const first = gate.pass(() => end.promise)
    await until('the first to begin', () => gate.counts().running === 1, { everyMs: 1 })
    const order: string[] = []
    const calls = [{ priority: 6 }, {}, { priority: 4 }].map((options) =>
      gate.pass(async () => void order.push(String(options.priority)), options),
    )
    await limiterTurns()
    end.resolve()
    await Promise.all([first, ...calls])
    expect(order).toEqual(['4', 'undefined', '6'])
  })

  test('rejects a call that waits for a slot when it is stopped, also if it is stopped twice', async () => {
    const asked = Promise.withResolvers<void>()
    const take: Slots['take'] = (signal) => {
      asked.resolve()
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    const { gate } = openGate({ slots: { ...givenSlots(), take } })
    const waiting = gate.pass(async () => 'never')
    waiting.catch(() => {})
    await asked.promise
    gate.stop()
    gate.stop()
    const closed =
      'The gate "report" is closed because this process is stopping. Nothing was sent; the work can be done after the next start.'
    await expect(waiting).rejects.toThrow(LimitsClosedError)
    await expect(waiting).rejects.toMatchObject({ name: 'LimitsClosedError' })
    await expect(waiting).rejects.toThrow(closed)
    await expect(gate.pass(async () => 'never')).rejects.toThrow(closed)
    expect(gate.counts()).toEqual(quiet)
  })

  test.each([
    [501, true],
    [500, false],
  ])(
    'begins anew if the wall clock was set back by %i ms, because the limiter would wait for it: %s',
    async (ms, isNew) => {
      let wall = Date.now()
      let monotonic = 0
      const clock: Clock = { ...systemClock, now: () => new Date(wall), monotonicMs: () => monotonic }
      const { gate } = openGate({ clock, maxConcurrent: 1 })
      const end = Promise.withResolvers<string>()
      const order: string[] = []
      const first = gate.pass(() => end.promise)
      await until('the first to begin', () => gate.counts().running === 1, { everyMs: 1 })
      // Half a second passes, and the wall clock shows an earlier time.
      monotonic += 500
      wall -= ms - 500
      const second = gate.pass(async () => void order.push('second'))
      if (isNew) await second
      else await limiterTurns()
      order.push('first')
      end.resolve('ended')
      await Promise.all([first, second])
      expect(order).toEqual(isNew ? ['second', 'first'] : ['first', 'second'])
    },
  )
})

describe('gates', () => {
  const open = (options: GatesOptions) => {
    const gates = openGates({ general: 1_000, auth: 3 }, systemClock, options)
    onTestFinished(gates.stop)
    return gates
  }

  test('take their slots by name and limit, and report each call by the name of its gate', async () => {
    const opened: [string, number][] = []
    const passed: [string, boolean][] = []
    const gates = open({
      slotsFor(name, limit) {
        opened.push([name, limit])
        return givenSlots()
      },
      onPass: (name, waitedMs) => void passed.push([name, waitedMs >= 0]),
    })
    await gates.gate('invite').pass(async () => {})
    await gates.auth.pass(async () => {})
    expect(opened).toEqual([
      ['auth', 3],
      ['invite', 1_000],
    ])
    expect(passed).toEqual([
      ['invite', true],
      ['auth', true],
    ])
    expect(Object.keys(gates.report())).toEqual(['auth', 'invite'])
  })

  test('let 32 calls of an endpoint run at the same time if nothing else is said', async () => {
    const gates = open({ slotsFor: () => givenSlots() })
    const end = Promise.withResolvers<void>()
    const calls = Array.from({ length: 40 }, () => gates.gate('report').pass(() => end.promise))
    await until('32 to run', () => gates.report().report?.running === 32, { everyMs: 5 })
    await limiterTurns()
    expect(gates.report().report).toMatchObject({ running: 32, waiting: 8 })
    end.resolve()
    await Promise.all(calls)
  })
})
