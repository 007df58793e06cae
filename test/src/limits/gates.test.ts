import { describe, expect, test } from 'vitest'
import { openGates } from '#src/limits/gates.ts'
import { LimitsClosedError } from '#src/limits/limits-closed-error.ts'
import { systemClock } from '#src/time/clock.ts'

const open = (general = 50, auth = 3) => openGates({ general, auth }, systemClock)

describe('gates', () => {
  // A busy machine may hold this process between a permission and the note of it for longer than the margin, once in many runs; a gate that
  // lets too much through does so in each.
  test('120 calls through a limit of 50 never put more than 50 into a second', { retry: 2 }, async () => {
    const gates = open(50)
    const times: number[] = []
    const calls = Array.from({ length: 120 }, (_, i) =>
      gates.gate('report').pass(async () => {
        times.push(performance.now())
        return i
      }),
    )
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 120 }, (_, i) => i))
    for (let i = 50; i < 120; i++) expect((times[i] ?? 0) - (times[i - 50] ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(gates.report().report).toMatchObject({ waiting: 0, running: 0, sent: 120, paused: false })
    gates.stop()
  })

  test('a name has one gate, and different names do not share their allowance', async () => {
    const gates = open(1)
    expect(gates.gate('report')).toBe(gates.gate('report'))
    const ended: string[] = []
    const both = ['invite', 'report'].map((name) => gates.gate(name).pass(async () => void ended.push(name)))
    const second = gates.gate('report').pass(async () => void ended.push('second report'))
    await Promise.all([...both, second])
    expect(ended.slice(0, 2).sort()).toEqual(['invite', 'report'])
    expect(ended[2]).toBe('second report')
    gates.stop()
  })

  test('a lower priority number goes first among those that wait', async () => {
    const gates = openGates({ general: 50, auth: 3 }, systemClock, { maxConcurrent: 1 })
    const gate = gates.gate('report')
    const order: string[] = []
    const say = (word: string) => async () => void order.push(word)
    const late = Array.from({ length: 25 }, () => gate.pass(say('late'), { priority: 9 }))
    await Promise.all([...late, gate.pass(say('soon'), { priority: 1 })])
    // Not "at once": the limiter takes calls into its queue one after the other while it already lets some pass.
    expect(order.indexOf('soon')).toBeLessThan(20)
    gates.stop()
  })

  test('no more works than allowed are under way at once', async () => {
    const gates = openGates({ general: 200, auth: 3 }, systemClock, { maxConcurrent: 3 })
    let most = 0
    const work = async () => {
      most = Math.max(most, gates.report().report?.running ?? 0)
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(Array.from({ length: 20 }, () => gates.gate('report').pass(work)))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(3)
    gates.stop()
  })

  test('nothing passes during a pause, and the pause that ends last wins', async () => {
    const gates = open(50)
    const gate = gates.gate('report')
    gate.pause(400)
    gate.pause(50)
    const paused = performance.now()
    expect(gate.counts().paused).toBe(true)
    const passed = await gate.pass(async () => performance.now())
    // Timers go by whole milliseconds, rounded more than once on the way.
    expect(passed - paused).toBeGreaterThanOrEqual(395)
    expect(gate.counts()).toMatchObject({ paused: false, lastSecond: 1 })
    gates.stop()
  })

  test('work that can wait for a moment only is turned away from a long pause, and waits for a short one', async () => {
    const gates = open(50)
    const gate = gates.gate('invite')
    gate.pause(60_000)
    let ran = false
    const turnedAway = gate.pass(
      async () => {
        ran = true
      },
      { mayWaitMs: 5_000 },
    )
    await expect(turnedAway).rejects.toMatchObject({ name: 'GateShutError', retryAfterMs: expect.any(Number) })
    expect(ran).toBe(false)
    const other = gates.gate('report')
    other.pause(100)
    expect(await other.pass(async () => 'through', { mayWaitMs: 5_000 })).toBe('through')
    gates.stop()
  })

  test('a pause that begins while calls wait for their slot holds those calls too', async () => {
    const gates = open(2)
    const gate = gates.gate('report')
    const first = gate.pass(async () => {
      gate.pause(700)
      return performance.now()
    })
    const second = gate.pass(async () => performance.now())
    expect((await second) - (await first)).toBeGreaterThanOrEqual(699)
    gates.stop()
  })

  test('the error of a work reaches its caller and the gate goes on', async () => {
    const gates = open()
    const broken = gates.gate('report').pass(() => Promise.reject(new RangeError('mine')))
    await expect(broken).rejects.toThrow(RangeError)
    expect(await gates.gate('report').pass(async () => 'next')).toBe('next')
    gates.stop()
  })

  test('stopping rejects what waits and what comes, and lets running work end', async () => {
    const gates = open(3)
    const gate = gates.gate('report')
    let finish = () => {}
    let begun = () => {}
    const started = new Promise<void>((resolve) => {
      begun = resolve
    })
    let ran = 0
    const running = gate.pass(() => {
      begun()
      return new Promise<string>((resolve) => {
        finish = () => resolve('done')
      })
    })
    const waiting = Array.from({ length: 30 }, () => gate.pass(async () => ran++))
    const ended = Promise.allSettled(waiting)
    await started
    gates.stop()
    const results = await ended
    expect(results.every((each) => each.status === 'rejected' && each.reason instanceof LimitsClosedError)).toBe(true)
    await expect(gate.pass(async () => 'late')).rejects.toBeInstanceOf(LimitsClosedError)
    await expect(gates.gate('never seen').pass(async () => 'late')).rejects.toBeInstanceOf(LimitsClosedError)
    finish()
    expect(await running).toBe('done')
    expect(ran).toBe(0)
  })

  test('tokens have their own limit of 3 a second', async () => {
    const gates = open(50, 3)
    const times = await Promise.all(Array.from({ length: 5 }, () => gates.auth.pass(async () => performance.now())))
    times.sort((a, b) => a - b)
    for (let i = 3; i < 5; i++) expect((times[i] ?? 0) - (times[i - 3] ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(gates.report().auth?.sent).toBe(5)
    gates.stop()
  })
})
