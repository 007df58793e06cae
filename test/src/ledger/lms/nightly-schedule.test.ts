// When the nightly work of a learning system is due: at the time that is configured now, not at the one configured when
// the worker last started.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const night = (schedule: string, nextAt: Date, checksDrift = true) => ({
  system: 'campus',
  schedule,
  nextAt,
  checksDrift,
})

async function openSchedule() {
  const testLedger = await openTestLedger()
  const { ledger, database } = testLedger
  const times = async () =>
    (
      await database.query<{ fullPollAt: Date; driftCheckAt: Date | null }>(
        'SELECT sweep_at AS "fullPollAt", look_at AS "driftCheckAt" FROM learning_system',
      )
    ).rows[0]
  const begin = (...nights: ReturnType<typeof night>[]) => ledger.learningSystems.register(['campus'], nights)
  const polled = (fullPollAt: Date) =>
    ledger.learningSystems.notePolled('campus', { nextAt: inHours(1), fullPollAt, problem: null })
  return { ...testLedger, times, begin, polled, [Symbol.asyncDispose]: () => testLedger[Symbol.asyncDispose]() }
}

describeWithDatabase('the nightly work of a learning system', () => {
  test('is due at the new time if the setting was changed, and at the old time otherwise', async () => {
    await using testLedger = await openSchedule()
    const [late, early, other] = [inHours(20), inHours(3), inHours(2)]
    await testLedger.begin(night('late', late))
    await testLedger.polled(late)
    expect(await testLedger.times()).toEqual({ fullPollAt: late, driftCheckAt: late })
    await testLedger.begin(night('late', other))
    expect(await testLedger.times()).toEqual({ fullPollAt: late, driftCheckAt: late })
    await testLedger.begin(night('early', early))
    expect(await testLedger.times()).toEqual({ fullPollAt: early, driftCheckAt: early })
    await testLedger.begin(night('late', late))
    expect(await testLedger.times()).toEqual({ fullPollAt: late, driftCheckAt: late })
  })

  test('is not postponed by a new setting if it was missed', async () => {
    await using testLedger = await openSchedule()
    const missed = new Date(0)
    await testLedger.begin(night('late', missed))
    await testLedger.polled(missed)
    await testLedger.begin(night('early', inHours(3)))
    expect(await testLedger.times()).toEqual({ fullPollAt: missed, driftCheckAt: missed })
  })

  test('includes no drift check if no target can be checked', async () => {
    await using testLedger = await openSchedule()
    await testLedger.begin(night('late', new Date(0), false))
    expect(await testLedger.times()).toMatchObject({ driftCheckAt: null })
    expect(await testLedger.ledger.drift.take()).toEqual([])
    expect(await testLedger.ledger.drift.begin('campus')).toBe(false)
  })

  test('checks for drift once, continues after a pause, and starts again if an operator requests it in the meantime', async () => {
    await using testLedger = await openSchedule()
    const { drift } = testLedger.ledger
    await testLedger.begin(night('late', new Date(0)))
    expect(await drift.take()).toEqual(['campus'])
    expect(await drift.take()).toEqual([])
    expect(await drift.begin('campus')).toBe(true)
    await drift.postpone('campus', 3_600_000)
    expect(await drift.begin('campus')).toBe(false)
    expect(await drift.request('campus', ['moodle-profile campus'])).toBe(0)
    await drift.end('campus', inHours(5))
    expect(await drift.take()).toEqual(['campus'])
    expect(await drift.begin('campus')).toBe(true)
    await drift.end('campus', inHours(5))
    expect(await drift.take()).toEqual([])
  })
})
