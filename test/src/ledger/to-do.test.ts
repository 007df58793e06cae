// The ledger's own to-do list: what is due is asked for once, and again only when its job seems lost.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/database/database.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const jobGone = (ledger: TestLedger, table: string) =>
  ledger.database.query(`UPDATE ${table} SET asked_at = asked_at - interval '61 seconds'`)

/** A run of one row that is issued and settled, whose results are wanted for the first time. */
async function settled(): Promise<{ ledger: TestLedger; run: string }> {
  const ledger = await openTestLedger()
  const run = await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: 'accepted' })
  await ledger.scan([aReportItem(aRecipient(1))])
  await ledger.ledger.settleRuns()
  return { ledger, run }
}

describeWithDatabase('work that is due', () => {
  test('is a source to read, asked for once until its job seems lost', async () => {
    await using ledger = await openTestLedger()
    const file = { pipeline: 'spring', sourceName: 'a', sourcePath: '/a', sourceSha256: 'a' }
    const { run } = await ledger.ledger.receiveRun(file)
    const asked = await Promise.all(Array.from({ length: 5 }, () => ledger.ledger.takeRunsToRead()))
    expect(asked.flat()).toEqual([run.id])
    await jobGone(ledger, 'run')
    expect(await ledger.ledger.takeRunsToRead()).toEqual([run.id])
  })

  test('is a batch before the door, and none behind it', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const sending = await ledger.send(1)
    const prepared = await ledger.ledger.prepareAttempt('spring', 1)
    expect(await ledger.ledger.takeAttemptsToSend()).toEqual([prepared])
    expect(await ledger.ledger.takeAttemptsToSend()).toEqual([])
    await jobGone(ledger, 'attempt')
    expect(await ledger.ledger.takeAttemptsToSend()).toEqual([prepared])
    expect(sending).not.toBe(prepared)
  })

  test('is a look at the report while a row is open, when its time has come', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.ledger.hurryPoller(0)
    expect(await ledger.ledger.takePoll()).toBe(false)
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    expect(await ledger.ledger.takePoll()).toBe(true)
    expect(await ledger.ledger.takePoll()).toBe(false)
    await ledger.ledger.schedulePoller(60_000, null)
    expect(await ledger.ledger.takePoll()).toBe(false)
    await ledger.ledger.hurryPoller(0)
    await ledger.ledger.hurryPoller(60_000)
    expect(await ledger.ledger.takePoll()).toBe(true)
  })

  test('is nothing of the other environment', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.ledger.prepareAttempt('spring', 1)
    await using database = openDatabase(ledger.url)
    const production = await openLedger(database, 'production')
    expect(await production.takeAttemptsToSend()).toEqual([])
    expect(await production.pipelinesWithDueRows()).toEqual([])
    expect(await production.countOpenAttempts()).toBe(0)
    expect(await production.readWatch()).toMatchObject({ open: 0 })
  })
})

describeWithDatabase('the watch', () => {
  test('reaches back to the day before the oldest open row, and for the young to theirs', async () => {
    await using ledger = await openTestLedger()
    expect(await ledger.ledger.readWatch()).toMatchObject({ open: 0, youngestMs: null, sinceAll: null, due: true })
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    await ledger.timePasses(72 * 3_600_000)
    await ledger.answer(await ledger.send(1), { class: 'unknown' })
    const days = await ledger.one<{ all: string; young: string }>(
      `SELECT (min(first_sent_at) AT TIME ZONE 'UTC')::date - 1 AS all, (max(first_sent_at) AT TIME ZONE 'UTC')::date - 1 AS young FROM issuance`,
    )
    expect(await ledger.ledger.readWatch()).toMatchObject({ open: 2, sinceAll: days.all, sinceYoung: days.young })
    expect(days.all < days.young).toBe(true)
  })

  test('is deep again only when a deep look was made', async () => {
    await using ledger = await openTestLedger()
    await ledger.ledger.schedulePoller(60_000, 120_000)
    expect(await ledger.ledger.readWatch()).toMatchObject({ due: false, deepDue: false })
    await ledger.database.query(`UPDATE poller SET deep_due_at = clock_timestamp()`)
    await ledger.ledger.schedulePoller(60_000, null)
    expect(await ledger.ledger.readWatch()).toMatchObject({ due: false, deepDue: true })
  })
})

describeWithDatabase('results', () => {
  test('are wanted when a run settles, once, and are told by version', async () => {
    const { ledger: opened, run } = await settled()
    await using ledger = opened
    expect(await ledger.ledger.settleRuns()).toEqual([])
    expect(await ledger.ledger.takeWriteBacks()).toEqual([run])
    expect(await ledger.ledger.takeWriteBacks()).toEqual([])
    expect(await ledger.ledger.wantedVersion(run)).toBe(1)
    await ledger.ledger.noteTold(run, 1)
    expect(await ledger.ledger.wantedVersion(run)).toBeNull()
    await jobGone(ledger, 'write_back')
    expect(await ledger.ledger.takeWriteBacks()).toEqual([])
  })

  test('that changed while the first file was being written are told again', async () => {
    const { ledger: opened, run } = await settled()
    await using ledger = opened
    const version = (await ledger.ledger.wantedVersion(run)) as number
    await ledger.scan([aReportItem(aRecipient(1), { revoked_date: '2026-03-02' })])
    await ledger.ledger.noteTold(run, version)
    expect(await ledger.ledger.wantedVersion(run)).toBe(2)
    expect(await ledger.ledger.takeWriteBacks()).toEqual([run])
  })

  test('that are told late never hide newer ones', async () => {
    const { ledger: opened, run } = await settled()
    await using ledger = opened
    await ledger.ledger.wantResults(run)
    await ledger.ledger.noteTold(run, 2)
    await ledger.ledger.noteTold(run, 1)
    expect(await ledger.ledger.wantedVersion(run)).toBeNull()
  })

  test('of a run that skipped the row have the same news', async () => {
    const { ledger: opened } = await settled()
    await using ledger = opened
    const other = await ledger.publish(recipients(1), { name: 'april.csv' })
    expect(await ledger.ledger.settleRuns()).toEqual([other])
    await ledger.ledger.noteTold(other, 1)
    await ledger.scan([aReportItem(aRecipient(1), { revoked_date: '2026-03-02' })])
    expect(await ledger.ledger.wantedVersion(other)).toBe(2)
  })

  test('are read only for a run id that is one, whatever is written in it', async () => {
    await using ledger = await openTestLedger()
    await expect(ledger.ledger.readResultRows(`'; DROP TABLE run; --`, ['invalid'], async () => {})).rejects.toThrow(
      'uuid',
    )
  })
})

describeWithDatabase('a named lock', () => {
  test('is held by one; others are sent away or wait', async () => {
    await using ledger = await openTestLedger()
    let inside = 0
    const alone = async () => {
      inside++
      expect(inside).toBe(1)
      await ledger.one('SELECT 1 AS one')
      inside--
      return true
    }
    const waited = await Promise.all(Array.from({ length: 5 }, () => ledger.ledger.withLock('scan', alone)))
    expect(waited).toEqual([true, true, true, true, true])
    await ledger.ledger.withLock('scan', async () => {
      expect(await ledger.ledger.withLock('scan', alone, false)).toBeNull()
      expect(await ledger.ledger.withLock('other', alone, false)).toBe(true)
    })
    await expect(ledger.ledger.withLock('scan', () => Promise.reject(new Error('fault')))).rejects.toThrow('fault')
    expect(await ledger.ledger.withLock('scan', alone, false)).toBe(true)
  })
})
