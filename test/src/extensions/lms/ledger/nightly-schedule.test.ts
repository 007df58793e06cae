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

  test('checks for drift once, and continues after a pause', async () => {
    await using testLedger = await openSchedule()
    const { drift } = testLedger.ledger
    await testLedger.begin(night('late', new Date(0)))
    expect(await drift.take()).toEqual(['campus'])
    expect(await drift.take()).toEqual([])
    expect(await drift.begin('campus')).toBe(true)
    await drift.postpone('campus', 3_600_000)
    expect(await drift.begin('campus')).toBe(false)
    await testLedger.database.query('UPDATE learning_system SET look_at = clock_timestamp()')
    expect(await drift.take()).toEqual(['campus'])
    expect(await drift.begin('campus')).toBe(true)
    await drift.end('campus', inHours(5))
    expect(await drift.take()).toEqual([])
  })

  test('continues after a pause when it would have, although the setting was changed', async () => {
    await using testLedger = await openSchedule()
    const { drift } = testLedger.ledger
    await testLedger.begin(night('late', new Date(0)))
    await drift.begin('campus')
    await drift.postpone('campus', 3_600_000)
    const before = await testLedger.times()
    await testLedger.begin(night('early', inHours(30)))
    expect((await testLedger.times())?.driftCheckAt).toEqual(before?.driftCheckAt)
  })

  test('is due for each system at its own time', async () => {
    await using testLedger = await openSchedule()
    const { database, ledger } = testLedger
    const other = { ...night('early', inHours(3)), system: 'other' }
    await ledger.learningSystems.register(['campus', 'other'], [night('late', inHours(20)), other])
    const { rows } = await database.query('SELECT system, schedule FROM learning_system ORDER BY system')
    expect(rows).toEqual([
      { system: 'campus', schedule: 'late' },
      { system: 'other', schedule: 'early' },
    ])
  })

  test('is not begun by an interruption', async () => {
    await using testLedger = await openSchedule()
    const later = inHours(20)
    await testLedger.begin(night('late', later))
    await testLedger.ledger.drift.postpone('campus', 0)
    await testLedger.ledger.drift.end('campus', inHours(40))
    expect(await testLedger.times()).toMatchObject({ driftCheckAt: later })
  })
})

describeWithDatabase('the next poll of a system that is unavailable', () => {
  test('is due soon when that is first noticed, and not brought forward again', async () => {
    await using testLedger = await openSchedule()
    const { ledger, database } = testLedger
    await testLedger.begin()
    await testLedger.polled(inHours(20))
    const isSoon = async () =>
      (await database.query(`SELECT FROM learning_system WHERE due_at < clock_timestamp() + interval '1 min'`))
        .rowCount > 0
    expect(await isSoon()).toBe(false)
    await ledger.learningSystems.noteAway('campus', 'It does not answer.')
    expect(await isSoon()).toBe(true)
    await ledger.learningSystems.noteFailure('campus', 'It does not answer.', 3_600_000)
    await ledger.learningSystems.noteAway('campus', 'It does not answer.')
    expect(await isSoon()).toBe(false)
  })
})
