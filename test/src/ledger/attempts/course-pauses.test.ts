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
})
