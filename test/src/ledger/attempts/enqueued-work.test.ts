// Which work is taken again because its job seems to be lost, and which work all of this is about: that of one
// environment, not that of another.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import type { Database } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

/** The tables of work, and what identifies one of their rows. */
const tables = {
  run: 'source_name',
  attempt: 'phase',
  poller: `'poller'`,
  credential_watch: `'watch'`,
  inbox_look: 'pipeline',
  archive: 'pipeline',
  revocation: 'credential_id',
}

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

/** What counts as enqueued: of each kind of work, the environments. */
async function enqueued(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const note = async (sql: string) => {
    for (const { what, environment } of (await database.query<{ what: string; environment: string }>(sql)).rows)
      found[what] = [...(found[what] ?? []), environment].sort()
  }
  for (const [table, name] of Object.entries(tables))
    await note(`SELECT '${table} ' || ${name} AS what, environment FROM ${table} WHERE asked_at IS NOT NULL`)
  await note(
    `SELECT 'write_back ' || written AS what, environment FROM write_back w JOIN run ON run.id = run_id WHERE w.asked_at IS NOT NULL`,
  )
  return found
}

describeWithDatabase('enqueued work', () => {
  test('is forgotten in one environment', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    for (const environment of ['development', 'production']) await addEnqueued(database, environment)
    const before = await enqueued(database)
    expect(new Set(Object.values(before).map((environments) => environments.join()))).toEqual(
      new Set(['development,production']),
    )
    await testLedger.ledger.work.forgetEnqueued()
    expect(await enqueued(database)).toEqual({
      ...Object.fromEntries(Object.keys(before).map((what) => [what, ['production']])),
      // A call that was claimed is never taken again.
      'attempt sending': ['development', 'production'],
    })
  })

  test('that is done is not forgotten: results that were written', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await addEnqueued(database, 'development')
    await database.query('UPDATE write_back SET written = 2')
    await testLedger.ledger.work.forgetEnqueued()
    expect(await enqueued(database)).toMatchObject({ 'write_back 2': ['development'] })
  })

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
  test('is not due because of rows of another environment', async () => {
    await using testLedger = await openTestLedger()
    const production = await openWholeLedger(testLedger.database, 'production')
    await testLedger.publish(recipients(1))
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await production.poller.hurry(0)
    expect(await production.work.takePoll()).toBe(false)
  })

  test('is made due in its own environment, whatever is due in another', async () => {
    await using testLedger = await openTestLedger()
    const production = await openWholeLedger(testLedger.database, 'production')
    await production.poller.schedule(0, null)
    await testLedger.ledger.poller.schedule(60_000, 60_000)
    await testLedger.ledger.poller.hurry(0)
    expect(await testLedger.ledger.poller.read()).toMatchObject({ due: true, deepDue: false })
  })

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

  test('have rows in this environment', async () => {
    await using testLedger = await openTestLedger()
    const production = await openWholeLedger(testLedger.database, 'production')
    await testLedger.publish(recipients(1))
    await publish(production, recipients(1))
    await prepareOne(production, 'spring', 1)
    expect(await dueIn(testLedger.ledger)).toEqual(['spring'])
    expect(await dueIn(production)).toEqual([])
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
