// Tests the circuit breaker of a course: after consecutive failed calls the course is paused, for seconds at first and
// longer each time, until a call is accepted. Also tests when a course needs a canary.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const breaker = { firstMs: 5_000, maxMs: 600_000 }

type Outcome = 'unknown' | 'refused' | 'accepted'

/** Ends a call with this outcome. @returns for how many milliseconds the course was paused; null if it was not */
async function endCall(ledger: TestLedger, attempt: number, outcome: Outcome): Promise<number | null> {
  await ledger.answer(attempt, { class: outcome, ...(outcome === 'refused' && { status: 400 }) })
  return outcome === 'accepted' ? null : ledger.ledger.courses.pauseAfterTrouble(aCourse, breaker)
}

async function sendOne(ledger: TestLedger, outcome: Outcome): Promise<number | null> {
  return endCall(ledger, await ledger.send(1), outcome)
}

/** Ends the pause of the course now. */
async function endPause({ database }: TestLedger): Promise<void> {
  await database.query('UPDATE course SET paused_until = clock_timestamp() WHERE paused_until > clock_timestamp()')
}

describeWithDatabase('a course with failed calls', () => {
  test('is paused for seconds at first, then twice as long each time, up to the maximum', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    expect(await sendOne(ledger, 'unknown')).toBeNull()
    const seconds: unknown[] = []
    for (let pauses = 0; pauses < 9; pauses++) {
      const ms = await sendOne(ledger, 'unknown')
      seconds.push(ms && ms / 1_000)
      await endPause(ledger)
    }
    expect(seconds).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600])
  })

  test('is again paused for the shortest time after an accepted canary', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    for (const _ of [1, 2, 3]) {
      await sendOne(ledger, 'unknown')
      await endPause(ledger)
    }
    expect(await sendOne(ledger, 'accepted')).toBeNull()
    expect(await sendOne(ledger, 'unknown')).toBeNull()
    expect(await sendOne(ledger, 'unknown')).toBe(5_000)
  })

  test('is not paused because of concurrent calls, which count as one failure', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    await sendOne(ledger, 'accepted')
    const concurrentAttempts = [await ledger.send(1), await ledger.send(1), await ledger.send(1)]
    for (const attempt of concurrentAttempts) expect(await endCall(ledger, attempt, 'unknown')).toBeNull()
    expect(await ledger.ledger.courses.pauses()).toEqual([])
    expect(await sendOne(ledger, 'unknown')).toBe(5_000)
  })

  test('is not paused for longer because of calls that were open when the pause began', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    await sendOne(ledger, 'accepted')
    const [slow, first] = [await ledger.send(1), await ledger.send(1)]
    await endCall(ledger, first, 'unknown')
    expect(await sendOne(ledger, 'unknown')).toBe(5_000)
    expect(await endCall(ledger, slow, 'unknown')).toBeNull()
    await endPause(ledger)
    expect(await sendOne(ledger, 'unknown')).toBe(10_000)
  })

  test('is paused once if two workers report the same failure concurrently', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    await sendOne(ledger, 'unknown')
    const second = await ledger.send(1)
    await ledger.answer(second, { class: 'unknown' })
    const both = [1, 2].map(() => ledger.ledger.courses.pauseAfterTrouble(aCourse, breaker))
    expect((await Promise.all(both)).filter((ms) => ms !== null)).toEqual([5_000])
    expect(await ledger.queryOne('SELECT trouble_level AS level FROM course')).toEqual({ level: 1 })
  })

  test('is paused if it refuses the first two calls, but not because of refusals after an accepted call', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    await sendOne(ledger, 'refused')
    expect(await sendOne(ledger, 'refused')).toBe(5_000)
    await endPause(ledger)
    // A refusal is a response: one refused row says nothing about the next row.
    expect(await sendOne(ledger, 'refused')).toBeNull()
    await sendOne(ledger, 'accepted')
    await sendOne(ledger, 'refused')
    expect(await sendOne(ledger, 'refused')).toBeNull()
  })

  test('shows when the first of several consecutive pauses began', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    await sendOne(ledger, 'unknown')
    await sendOne(ledger, 'unknown')
    const [first] = await ledger.ledger.courses.pauses()
    expect(first).toMatchObject({
      courseUuid: aCourse,
      afterTrouble: true,
      reason: expect.stringContaining('two calls'),
    })
    await endPause(ledger)
    await sendOne(ledger, 'unknown')
    const [second] = await ledger.ledger.courses.pauses()
    expect(second).toMatchObject({ since: first?.since, reason: expect.stringContaining('the retry') })
    await ledger.ledger.courses.pause(aCourse, 'it is not approved', 60_000)
    const [other] = await ledger.ledger.courses.pauses()
    expect(other).toMatchObject({ afterTrouble: false, reason: 'it is not approved' })
    expect(other?.since.getTime()).toBeGreaterThan(first?.since.getTime() ?? 0)
  })
})

describeWithDatabase('a course', () => {
  test('needs a canary until it has accepted a call', async () => {
    await using ledger = await openTestLedger()
    expect(await ledger.ledger.courses.needsCanary(aCourse)).toBe(true)
    await ledger.publish(recipients(3))
    const attempt = await ledger.send(1)
    expect(await ledger.ledger.courses.needsCanary(aCourse)).toBe(true)
    await ledger.answer(attempt, { class: 'accepted' })
    expect(await ledger.ledger.courses.needsCanary(aCourse)).toBe(false)
  })
})
