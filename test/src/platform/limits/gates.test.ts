// Gates: their limits, priorities and pauses, and what happens to calls when the gates are stopped.

import { describe, expect, test } from 'vitest'
import { openGates } from '#src/platform/limits/gates.ts'
import { LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import type { AcceptedSend } from '#src/platform/limits/margin-estimate.ts'
import type { Slots } from '#src/platform/limits/slots.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { steppedClock, turnClock } from '#test/support/clock.ts'
import { until } from '#test/support/until.ts'

const open = (general = 50, auth = 3) => openGates({ general, auth }, systemClock)

describe('with gates,', () => {
  test('120 calls through a limit of 50 never have more than 50 in a second', async () => {
    // A busy machine may delay this process between a slot and its record.
    const clock = turnClock()
    const gates = openGates({ general: 50, auth: 3 }, clock)
    const times: number[] = []
    const calls = Array.from({ length: 120 }, (_, i) =>
      gates.gate('report').pass(async () => {
        times.push(clock.monotonicMs())
        return i
      }),
    )
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 120 }, (_, i) => i))
    for (let i = 50; i < 120; i++) expect((times[i] ?? 0) - (times[i - 50] ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(gates.report().report).toMatchObject({ waiting: 0, running: 0, sent: 120, paused: false })
    gates.stop()
  })

  test('each endpoint name has one gate, and different names do not share a limit', async () => {
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

  test('a refusal costs the time of six sends, a second one soon after it a second, and one that was under way nothing', async () => {
    const clock = steppedClock()
    const gates = openGates({ general: 50, auth: 3 }, clock)
    const gate = gates.gate('report')
    const pausedMs = () => gates.report().report?.pausedMs
    await clock.advance(1_000)
    gate.pause(null, { sentMs: 900 })
    expect(pausedMs()).toBe(120)
    await clock.advance(100)
    gate.pause(null, { sentMs: 990 })
    expect(pausedMs()).toBe(20)
    await clock.advance(100)
    gate.pause(null, { sentMs: 1_150 })
    await clock.advance(130)
    // The slots know how long the pause is in all processes.
    const passed = gate.pass(async () => clock.monotonicMs())
    await until('the call to ask for a slot', () => Number(pausedMs()) > 800)
    await clock.advance(5_000)
    expect(await passed).toBeGreaterThanOrEqual(2_200)
    gates.stop()
  })

  test('a refusal at the token gate costs a second', () => {
    const gates = openGates({ general: 50, auth: 3 }, steppedClock())
    gates.auth.pause(null)
    expect(gates.report().auth?.pausedMs).toBe(1_000)
    gates.stop()
  })

  test('what the service accepts is noted with its round trip, and whether it waited for its slot', async () => {
    const clock = steppedClock()
    const noted: AcceptedSend[] = []
    const slotsFor = (): Slots => ({
      take: async () => {
        await clock.sleep(noted.length * 15)
        return 0
      },
      noteAccepted: (send) => void noted.push(send),
      pause() {},
    })
    const gates = openGates({ general: 50, auth: 3 }, clock, { slotsFor })
    const pass = async () => {
      const passed = gates.gate('report').pass(async ({ noteAccepted }) => {
        await clock.sleep(40)
        noteAccepted()
      })
      const ended = passed.then(() => true)
      while (!(await Promise.race([ended, clock.advance(1)]))) await new Promise((resolve) => setImmediate(resolve))
    }
    for (let n = 0; n < 3; n++) await pass()
    expect(noted).toEqual([
      { roundTripMs: 40, waited: false },
      { roundTripMs: 40, waited: false },
      { roundTripMs: 40, waited: true },
    ])
    gates.stop()
  })

  test('stopping rejects waiting and new calls, and lets running ones finish', async () => {
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
    expect(results.every((result) => result.status === 'rejected' && result.reason instanceof LimitsClosedError)).toBe(
      true,
    )
    await expect(gate.pass(async () => 'late')).rejects.toBeInstanceOf(LimitsClosedError)
    await expect(gates.gate('never seen').pass(async () => 'late')).rejects.toBeInstanceOf(LimitsClosedError)
    finish()
    expect(await running).toBe('done')
    expect(ran).toBe(0)
  })
})
