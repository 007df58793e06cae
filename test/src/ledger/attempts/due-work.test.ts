// Tests which work in the ledger is due: each piece is taken once, and again only if its job seems to be lost. Also
// tests the versions of results files, and named locks.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const loseJobs = (ledger: TestLedger, table: string) =>
  ledger.database.query(`UPDATE ${table} SET asked_at = asked_at - interval '61 seconds'`)

/** A run of one row that is issued and settled, with its results requested for the first time. */
async function openSettledRun(): Promise<{ ledger: TestLedger; run: string }> {
  const ledger = await openTestLedger()
  const run = await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: 'accepted' })
  await ledger.scan([aReportItem(aRecipient(1))])
  await ledger.ledger.runs.settle()
  return { ledger, run }
}

describeWithDatabase('work that is due', () => {
  test('is a source to read, which is taken once until its job seems to be lost', async () => {
    await using ledger = await openTestLedger()
    const file = { pipeline: 'spring', sourceName: 'a', sourcePath: '/a', sourceSha256: 'a' }
    const { run } = await ledger.ledger.runs.receive(file)
    const taken = await Promise.all(Array.from({ length: 5 }, () => ledger.ledger.work.takeRunsToRead()))
    expect(taken.flat()).toEqual([run.id])
    await loseJobs(ledger, 'run')
    expect(await ledger.ledger.work.takeRunsToRead()).toEqual([run.id])
  })

  test('is not a source that is being published, and nobody waits for that', async () => {
    await using ledger = await openTestLedger()
    const receive = (name: string) =>
      ledger.ledger.runs.receive({ pipeline: 'spring', sourceName: name, sourcePath: name, sourceSha256: name })
    const [published, next] = [await receive('long'), await receive('next')]
    expect(await ledger.ledger.work.takeRunsToRead()).toEqual([published.run.id, next.run.id])
    await loseJobs(ledger, 'run')
    await ledger.database.transaction(async (sql) => {
      await sql.query('SELECT FROM run WHERE id = $1 FOR UPDATE', [published.run.id])
      expect(await ledger.ledger.work.takeRunsToRead()).toEqual([next.run.id])
      await ledger.ledger.work.forgetEnqueued()
      expect(await ledger.ledger.work.takeRunsToRead()).toEqual([next.run.id])
    })
    expect(await ledger.ledger.work.takeRunsToRead()).toEqual([published.run.id])
  })

  test('is a prepared batch, but not a claimed one', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const sending = await ledger.send(1)
    const prepared = await prepareOne(ledger.ledger, 'spring', 1)
    expect(await ledger.ledger.work.takeAttemptsToSend()).toEqual([prepared])
    expect(await ledger.ledger.work.takeAttemptsToSend()).toEqual([])
    await loseJobs(ledger, 'attempt')
    expect(await ledger.ledger.work.takeAttemptsToSend()).toEqual([prepared])
    expect(sending).not.toBe(prepared)
  })

  test('is a scan of the report, if it is due and a row is open', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.ledger.poller.hurry(0)
    expect(await ledger.ledger.work.takePoll()).toBe(false)
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    expect(await ledger.ledger.work.takePoll()).toBe(true)
    expect(await ledger.ledger.work.takePoll()).toBe(false)
    await ledger.ledger.poller.schedule(60_000, null)
    expect(await ledger.ledger.work.takePoll()).toBe(false)
    await ledger.ledger.poller.hurry(0)
    await ledger.ledger.poller.hurry(60_000)
    expect(await ledger.ledger.work.takePoll()).toBe(true)
  })

  test('changes nothing in the ledger if a scan is due early enough anyway', async () => {
    await using ledger = await openTestLedger()
    await ledger.ledger.poller.hurry(1_000)
    const version = () => ledger.queryOne('SELECT xmin::text, xmax::text FROM poller')
    const before = await version()
    await ledger.ledger.poller.hurry(15_000)
    expect(await version()).toEqual(before)
    await ledger.ledger.poller.hurry(0)
    expect(await version()).not.toEqual(before)
  })
})

describeWithDatabase('the poller', () => {
  test('reaches back to the day before the oldest open row was sent, or the oldest of the recent rows', async () => {
    await using ledger = await openTestLedger()
    const nothing = { open: 0, unsent: false, youngestMs: null, sinceAll: null, due: true }
    expect(await ledger.ledger.poller.read()).toMatchObject(nothing)
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    expect(await ledger.ledger.poller.read()).toMatchObject({ open: 1, unsent: true })
    await ledger.timePasses(72 * 3_600_000)
    await ledger.answer(await ledger.send(1), { class: 'unknown' })
    const days = await ledger.queryOne<{ all: string; young: string }>(
      `SELECT (min(first_sent_at) AT TIME ZONE 'UTC')::date - 1 AS all, (max(first_sent_at) AT TIME ZONE 'UTC')::date - 1 AS young FROM issuance`,
    )
    expect(await ledger.ledger.poller.read()).toMatchObject({
      ...{ open: 2, unsent: false, sinceAll: days.all, sinceYoung: days.young },
    })
    expect(days.all < days.young).toBe(true)
  })

  test('reschedules the deep scan only after a deep scan', async () => {
    await using ledger = await openTestLedger()
    await ledger.ledger.poller.schedule(60_000, 120_000)
    expect(await ledger.ledger.poller.read()).toMatchObject({ due: false, deepDue: false })
    await ledger.database.query(`UPDATE poller SET deep_due_at = clock_timestamp()`)
    await ledger.ledger.poller.schedule(60_000, null)
    expect(await ledger.ledger.poller.read()).toMatchObject({ due: false, deepDue: true })
  })
})

describeWithDatabase('results', () => {
  test('are requested once when a run settles, and written by version', async () => {
    const { ledger: opened, run } = await openSettledRun()
    await using ledger = opened
    expect(await ledger.ledger.runs.settle()).toEqual([])
    expect(await ledger.ledger.work.takeWriteBacks()).toEqual([run])
    expect(await ledger.ledger.work.takeWriteBacks()).toEqual([])
    expect(await ledger.ledger.writeBacks.wantedVersion(run)).toBe(1)
    await ledger.ledger.writeBacks.noteReported(run, 1)
    expect(await ledger.ledger.writeBacks.wantedVersion(run)).toBeNull()
    await loseJobs(ledger, 'write_back')
    expect(await ledger.ledger.work.takeWriteBacks()).toEqual([])
  })

  test('can be read only with a valid run id', async () => {
    await using ledger = await openTestLedger()
    await expect(
      ledger.ledger.writeBacks.readRows(`'; DROP TABLE run; --`, ['invalid'], async () => {}),
    ).rejects.toThrow('uuid')
  })
})

describeWithDatabase('a named lock', () => {
  test('is held by one caller at a time; others are refused or wait', async () => {
    await using ledger = await openTestLedger()
    let inside = 0
    const work = async () => {
      inside++
      expect(inside).toBe(1)
      await ledger.queryOne('SELECT 1 AS one')
      inside--
      return true
    }
    const waited = await Promise.all(Array.from({ length: 5 }, () => ledger.ledger.locks.withLock('scan', work)))
    expect(waited).toEqual([true, true, true, true, true])
    await ledger.ledger.locks.withLock('scan', async () => {
      expect(await ledger.ledger.locks.withLock('scan', work, false)).toBeNull()
      expect(await ledger.ledger.locks.withLock('other', work, false)).toBe(true)
    })
    await expect(ledger.ledger.locks.withLock('scan', () => Promise.reject(new Error('fault')))).rejects.toThrow(
      'fault',
    )
    expect(await ledger.ledger.locks.withLock('scan', work, false)).toBe(true)
  })
})
