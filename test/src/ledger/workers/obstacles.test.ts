// Which obstacles are current, and what ends them.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { allObstacles, obstaclesOf } from '#src/ledger/workers/obstacles.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const subjects = ['gate invite', 'intake', 'issue', 'reconcile', 'write-back']

/** Every kind of work has met an obstacle, in two environments. */
async function openBlocked(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  await testLedger.publish(recipients(3))
  for (const environment of ['production', 'development']) {
    const { obstacles } = await openWholeLedger(testLedger.database, environment)
    for (const subject of subjects) await obstacles.note({ subject, detail: 'No.', endsInMs: null })
  }
  return testLedger
}

async function current({ database }: TestLedger, environment = 'development'): Promise<string[]> {
  return (await obstaclesOf(database, environment)).map(({ subject }) => subject)
}

const without = (...ended: string[]) => subjects.filter((subject) => !ended.includes(subject))

async function statusOf({ database }: TestLedger, subject: string): Promise<string | undefined> {
  return (await allObstacles(database, 'development')).find((each) => each.subject === subject)?.status
}

const scanned = { complete: true, pages: 1, items: 0, claimed: 0, unknown: 0, problem: null }

describeWithDatabase('an obstacle', () => {
  test.each<[what: string, subject: string, work: (testLedger: TestLedger) => Promise<unknown>]>([
    ['a list was published', 'intake', (testLedger) => testLedger.publish(recipients(1, 50))],
    [
      'a list was held by the brake',
      'intake',
      async ({ ledger, database }) => {
        const source = { pipeline: 'spring', sourceName: 'b', sourcePath: '/b', sourceSha256: 'b' }
        const { run } = await ledger.runs.receive(source)
        await database.query(
          `UPDATE run SET state = 'braked', braked_at = clock_timestamp(), would_accept = 9, braked_because = 'Many.' WHERE id = $1`,
          [run.id],
        )
      },
    ],
    ['a batch was sent', 'issue', (testLedger) => testLedger.send(1)],
    ['the report was read', 'reconcile', (testLedger) => testLedger.scan()],
  ])('is over once %s, in its own environment', async (_, subject, work) => {
    await using testLedger = await openBlocked()
    await work(testLedger)
    expect(await current(testLedger)).toEqual(without(subject))
    expect(await current(testLedger, 'production')).toEqual(subjects)
    expect(await statusOf(testLedger, subject)).toBe('done')
  })

  test('of reading the report is not over when a scan ended early', async () => {
    await using testLedger = await openBlocked()
    const { scans } = testLedger.ledger
    await scans.end((await scans.begin('2026-01-01')).id, { ...scanned, complete: false })
    expect(await current(testLedger)).toEqual(subjects)
  })

  test('is met again after work of its kind was done', async () => {
    await using testLedger = await openBlocked()
    const { obstacles } = testLedger.ledger
    await testLedger.publish(recipients(1, 50))
    await testLedger.send(1)
    await testLedger.scan()
    expect(await current(testLedger)).toEqual(without('intake', 'issue', 'reconcile'))
    for (const subject of subjects) await obstacles.note({ subject, detail: 'Again.', endsInMs: null })
    // It is a new one, which has existed for less time than those that persisted.
    expect(await current(testLedger)).toEqual(['gate invite', 'write-back', 'intake', 'issue', 'reconcile'])
    expect((await allObstacles(testLedger.database, 'development')).map(({ subject }) => subject)).toEqual([
      'write-back',
      'intake',
      'issue',
      'reconcile',
    ])
  })

  test('of sending is over once a batch was sent, however many were sent before', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await testLedger.publish(recipients(1))
    await database.query(
      `INSERT INTO attempt (environment, course_uuid, pipeline, phase, size, sending_at)
       SELECT 'development', course_uuid, pipeline, 'ended', 1, clock_timestamp() - interval '1 h' FROM issuance, generate_series(1, 250)`,
    )
    await ledger.obstacles.note({ subject: 'issue', detail: 'No.', endsInMs: null })
    expect(await current(testLedger)).toEqual(['issue'])
    await testLedger.send(1)
    expect(await current(testLedger)).toEqual([])
  })

  test('that nobody has met for ten minutes, or whose end was known, is no longer current', async () => {
    await using testLedger = await openBlocked()
    const { database, ledger } = testLedger
    await database.query(`UPDATE obstacle SET seen_at = seen_at - interval '11 minutes' WHERE subject = 'issue'`)
    await ledger.obstacles.note({ subject: 'intake', detail: 'No.', endsInMs: -1 })
    await ledger.obstacles.note({ subject: 'write-back', detail: 'No.', endsInMs: 60_000 })
    expect(await current(testLedger)).toEqual(without('issue', 'intake'))
    const statuses = await Promise.all(['issue', 'intake', 'write-back'].map((each) => statusOf(testLedger, each)))
    expect(statuses).toEqual(['unseen', 'unseen', 'current'])
  })

  test('at a gate is no reason to notify anybody', async () => {
    await using testLedger = await openBlocked()
    const all = await allObstacles(testLedger.database, 'development')
    expect(all.map(({ subject }) => subject)).toEqual(without('gate invite'))
  })

  test('is cleared alone', async () => {
    await using testLedger = await openBlocked()
    await testLedger.ledger.obstacles.clear('write-back')
    expect(await current(testLedger)).toEqual(without('write-back'))
    expect(await current(testLedger, 'production')).toEqual(subjects)
  })
})

describeWithDatabase('an obstacle that is met again', () => {
  test.each([
    { first: 'ServiceUnreachableError', next: 'ServiceRefusedError', isSame: true },
    { first: 'WireError (not_json)', next: 'ServiceUnreachableError ECONNRESET', isSame: true },
    { first: 'RedisRefusedError', next: 'QueueUnreachableError', isSame: true },
    { first: 'ServiceUnreachableError', next: 'KeysRefusedError', isSame: false },
    { first: 'ServiceUnreachableError', next: 'RedisUnreachableError', isSame: false },
  ])('as $next after $first has lasted since then: $isSame', async ({ first, next, isSame }) => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const note = (error: string) => ledger.obstacles.note({ subject: 'issue', detail: 'No.', endsInMs: null, error })
    await note(first)
    await database.query(`UPDATE obstacle SET since = since - interval '1 hour'`)
    await note(next)
    const { rows } = await database.query<{ isOld: boolean }>(
      `SELECT since < clock_timestamp() - interval '30 minutes' AS "isOld" FROM obstacle`,
    )
    expect(rows).toEqual([{ isOld: isSame }])
  })
})
