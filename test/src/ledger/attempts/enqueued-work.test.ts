// Which work is taken again because its job seems to be lost.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import type { Database } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

/** Work of every kind in one environment, all of it enqueued an hour ago. */
async function addEnqueued(database: Database, environment: string): Promise<void> {
  const statements = [
    `INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, asked_at) VALUES ($1, 'spring', 'a.csv', '/a.csv', 'a', $2)`,
    `INSERT INTO attempt (environment, pipeline, course_uuid, size, phase, asked_at)
       SELECT $1, 'spring', gen_random_uuid(), 1, phase, $2 FROM unnest(ARRAY['prepared', 'sending']) phase`,
    'INSERT INTO poller (environment, asked_at) VALUES ($1, $2)',
    'INSERT INTO credential_watch (environment, due_at, asked_at) VALUES ($1, $2, $2)',
    `INSERT INTO inbox_look (environment, pipeline, last_due_at, asked_at) VALUES ($1, 'spring', $2, $2)`,
    `INSERT INTO archive (environment, pipeline, folder, asked_at) VALUES ($1, 'spring', '/a', $2)`,
    `INSERT INTO revocation (environment, credential_id, by, asked_at) VALUES ($1, 'C-1', 'ada', $2)`,
    `INSERT INTO write_back (run_id, target, wanted, written, asked_at) SELECT id, 'results-file', 2, 1, $2 FROM run WHERE environment = $1`,
  ]
  const anHourAgo = new Date(Date.now() - 3_600_000)
  for (const statement of statements) await withoutTriggers(database, statement, [environment, anHourAgo])
}

describeWithDatabase('enqueued work', () => {
  /** With a row that waits for the report, and results to write. */
  async function openWaiting(): Promise<TestLedger> {
    const testLedger = await openTestLedger()
    await addEnqueued(testLedger.database, 'development')
    await testLedger.publish(recipients(1))
    await testLedger.answer(await testLedger.send(), { class: 'unknown' })
    return testLedger
  }

  test.each<[what: string, lostAfterMs: number, isTaken: boolean]>([
    ['is taken again when its job seems to be lost', 1_800_000, true],
    ['is not taken again before its job seems to be lost', 7_200_000, false],
  ])('%s', async (_, lostAfterMs, isTaken) => {
    await using testLedger = await openWaiting()
    const ledger = await openWholeLedger(testLedger.database, 'development', { lostAfterMs })
    const { work, watching } = ledger
    expect(await work.takePoll()).toBe(isTaken)
    expect(await watching.take()).toBe(isTaken)
    for (const take of [work.takeRunsToRead, work.takeAttemptsToSend, work.takeWriteBacks])
      expect(await take()).toHaveLength(isTaken ? 1 : 0)
  })
})

describeWithDatabase('a scan of the report', () => {
  test('reaches back to the oldest open row if none has been done', async () => {
    await using testLedger = await openTestLedger()
    expect(await testLedger.ledger.poller.read()).toMatchObject({ due: true, deepDue: true })
  })
})

describeWithDatabase('the pipelines with due rows', () => {
  const dueIn = (ledger: WholeLedger) => ledger.work.pipelinesWithDueRows()

  test('have pending rows: no others, even if those are due', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    expect((await testLedger.issuances())[0]).toMatchObject({ state: 'requested', due: 'now' })
    expect(await dueIn(testLedger.ledger)).toEqual([])
  })

  test('come by the number of their open batches in this environment, those that have ended not counted', async () => {
    await using testLedger = await openTestLedger()
    const production = await openWholeLedger(testLedger.database, 'production')
    const pipelines = ['autumn', 'spring', 'winter']
    for (const [at, pipeline] of pipelines.entries()) {
      await testLedger.publish(recipients(5, at * 10 + 1), { pipeline })
      await publish(production, recipients(5, at * 10 + 1), { pipeline })
    }
    await testLedger.ledger.attempts.prepare('autumn', 1, { batches: 2 })
    await testLedger.ledger.attempts.prepare('winter', 1)
    for (const _ of [1, 2, 3]) await testLedger.answer(await testLedger.send(1, 'spring'), { class: 'accepted' })
    await production.attempts.prepare('spring', 1, { batches: 4 })
    expect(await dueIn(testLedger.ledger)).toEqual(['spring', 'winter', 'autumn'])
    expect(await dueIn(production)).toEqual(['autumn', 'winter', 'spring'])
  })
})
