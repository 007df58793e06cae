// Batches: which rows are sent together, in which order, and which have to wait.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { courseStore } from '#src/ledger/attempts/courses.ts'
import { openPickPositions } from '#src/ledger/attempts/pick-positions.ts'
import { preparationStore } from '#src/ledger/attempts/prepare.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import {
  aCourse,
  aRecipient,
  aReportItem,
  byPrimaryValue,
  otherCourse,
  recipients,
} from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

/** The people in a batch, by the numbers in their addresses. */
async function peopleOf({ ledger }: TestLedger, attempt: number | null): Promise<number[]> {
  const batch = attempt === null ? null : await ledger.attempts.load(attempt)
  return (batch?.recipients ?? []).map((each) => Number(each.Email?.match(/\d+/)?.[0]))
}

/** The people in each of the next batches, until no row is due. */
async function prepareAll(testLedger: TestLedger, size: number, pipeline = 'spring'): Promise<number[][]> {
  const batches: number[][] = []
  for (;;) {
    const attempt = await prepareOne(testLedger.ledger, pipeline, size)
    if (attempt === null) return batches
    batches.push(await peopleOf(testLedger, attempt))
  }
}

const byDay = { ...byPrimaryValue, occurrence: ['Day'] }
const onDay = (n: number, Day: string) => aRecipient(n, { Day })

describeWithDatabase('a batch', () => {
  test('takes rows in the order of the file, as many as allowed', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([5, 3, 9, 1, 7].map((n) => aRecipient(n)))
    expect(await prepareAll(ledger, 2)).toEqual([[5, 3], [9, 1], [7]])
    expect(await ledger.ledger.attempts.countOpen()).toBe(3)
  })

  test('takes files in the order in which they were received', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2, 10))
    await ledger.publish(recipients(2, 1))
    expect(await prepareAll(ledger, 3)).toEqual([[10, 11, 1], [2]])
  })

  test('is not sent when it is prepared: its rows stay pending, but are not available to the next batch', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await prepareOne(ledger.ledger, 'spring', 10)
    expect(await ledger.issuances()).toMatchObject([
      { state: 'pending', due: 'out of sight' },
      { state: 'pending', due: 'out of sight' },
    ])
    expect(await ledger.queryOne('SELECT first_sent_at FROM issuance WHERE id = 1')).toEqual({ first_sent_at: null })
    expect(await ledger.ledger.work.pipelinesWithDueRows()).toEqual([])
  })

  test('has rows of one pipeline only', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1, 1), { pipeline: 'spring' })
    await ledger.publish(recipients(1, 2), { pipeline: 'autumn' })
    expect(await ledger.ledger.work.pipelinesWithDueRows()).toEqual(['autumn', 'spring'])
    expect(await prepareAll(ledger, 10, 'autumn')).toEqual([[2]])
    expect(await prepareAll(ledger, 10, 'nobody')).toEqual([])
  })

  test('is prepared first for the pipeline with the fewest open batches, so that a short list does not wait behind a long one', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3, 1), { pipeline: 'autumn' })
    await ledger.publish(recipients(1, 4), { pipeline: 'spring' })
    expect(await prepareOne(ledger.ledger, 'autumn', 1)).not.toBeNull()
    expect(await ledger.ledger.work.pipelinesWithDueRows()).toEqual(['spring', 'autumn'])
  })

  test('has rows of one course only', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2, 1))
    await ledger.publish(recipients(2, 3), { course: otherCourse })
    expect(await prepareAll(ledger, 10)).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  test('is no larger than the limit of its rows, and does not mix rows with different limits', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(6))
    await ledger.database.query('UPDATE issuance SET batch_cap = 2 WHERE id <= 3')
    expect(await prepareAll(ledger, 10)).toEqual([[1, 2], [3], [4, 5, 6]])
  })

  test('waits while its course is paused, and continues afterwards', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1, 1))
    await ledger.publish(recipients(1, 2), { course: otherCourse })
    await ledger.ledger.courses.pause(aCourse, 'the course is disabled', 60_000)
    expect(await ledger.ledger.courses.pauses()).toMatchObject([
      { courseUuid: aCourse, reason: 'the course is disabled' },
    ])
    expect((await ledger.ledger.issuances.explain({ id: 1 }))[0]?.pauseReason).toBe('the course is disabled')
    expect(await prepareAll(ledger, 10)).toEqual([[2]])
    await ledger.database.query(`UPDATE course SET paused_until = clock_timestamp() - interval '1 second'`)
    expect(await prepareAll(ledger, 10)).toEqual([[1]])
  })

  test('is not prepared before its rows are due', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'throttled', retryAfterMs: 60_000 })
    expect(await prepareAll(ledger, 10)).toEqual([])
    await ledger.timePasses(60_000)
    expect(await prepareAll(ledger, 10)).toEqual([[1]])
  })

  test('never shares a row with another, even with concurrent callers', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(45))
    const attempts = await Promise.all(Array.from({ length: 10 }, () => prepareOne(ledger.ledger, 'spring', 5)))
    const people = (await Promise.all(attempts.map((attempt) => peopleOf(ledger, attempt)))).flat()
    expect(attempts.filter((attempt) => attempt === null)).toHaveLength(1)
    expect(people.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1))
  })

  test('blocks other callers for at most ten seconds if its process stalls', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const { database } = ledger
    const watched: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (sql) => {
          const result = await work(sql)
          const { rows } = await sql.query('SHOW idle_in_transaction_session_timeout')
          expect(rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }])
          return result
        }),
    }
    expect(await preparationStore(watched, 'development', openPickPositions()).prepare('spring', 1)).not.toBeNull()
    // The timeout applies to that transaction only.
    expect(await ledger.queryOne('SHOW idle_in_transaction_session_timeout')).toEqual({
      idle_in_transaction_session_timeout: '1min',
    })
  })

  test('may be undone by a crash of the server, unlike a pause, which waits for the disk', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await onServer(`ALTER DATABASE ${new URL(ledger.url).pathname.slice(1)} SET synchronous_commit = on`)
    await using database = openDatabase(ledger.url)
    const used: unknown[] = []
    const watched: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (sql) => {
          const result = await work(sql)
          used.push(...(await sql.query('SHOW synchronous_commit')).rows)
          return result
        }),
    }
    expect(await preparationStore(watched, 'development', openPickPositions()).prepare('spring', 1)).toHaveLength(1)
    await courseStore(watched, 'development').pauseAfterTrouble(aCourse, { firstMs: 1_000, maxMs: 1_000 })
    expect(used).toEqual([{ synchronous_commit: 'off' }, { synchronous_commit: 'on' }])
  })

  test('cannot share a row with another: the database refuses the second batch', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await prepareOne(ledger.ledger, 'spring', 1)
    const other = await prepareOne(ledger.ledger, 'spring', 1)
    const moveToSecond = 'UPDATE issuance SET open_attempt = $1 WHERE id = 1'
    await expect(ledger.database.query(moveToSecond, [other])).rejects.toThrow('already, and cannot join')
  })
})

describeWithDatabase('several batches that are prepared together', () => {
  /** The people in each of at most `batches` batches. */
  async function prepareTogether(testLedger: TestLedger, size: number, batches: number, canary = false) {
    const attempts = await testLedger.ledger.attempts.prepare('spring', size, { batches, canary })
    return Promise.all(attempts.map((attempt) => peopleOf(testLedger, attempt)))
  }

  test('have the rows that they would have one after the other', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([5, 3, 9, 1, 7, 8, 2].map((n) => aRecipient(n)))
    expect(await prepareTogether(ledger, 2, 2)).toEqual([
      [5, 3],
      [9, 1],
    ])
    expect(await prepareTogether(ledger, 2, 3)).toEqual([[7, 8], [2]])
    expect(await prepareTogether(ledger, 2, 3)).toEqual([])
  })

  test('have one course each, and mix no rows with different limits', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(5, 1))
    await ledger.publish(recipients(2, 6), { course: otherCourse })
    await ledger.database.query('UPDATE issuance SET batch_cap = 1 WHERE id = 2')
    expect(await prepareTogether(ledger, 3, 9)).toEqual([[1, 3, 4], [2], [5], [6, 7]])
  })

  test('never contain two credentials of one person', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([onDay(1, 'Monday'), onDay(1, 'Tuesday'), onDay(2, 'Monday')], { rule: byDay })
    expect(await prepareTogether(ledger, 1, 9)).toEqual([[1], [2]])
    expect((await ledger.issuances())[1]).toMatchObject({ reason: expect.stringContaining('same person') })
  })

  test('end with the canary of a course that has not accepted a call yet', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(4, 1))
    await ledger.publish(recipients(4, 5), { course: otherCourse })
    expect(await prepareTogether(ledger, 2, 9, true)).toEqual([[1]])
    expect(await prepareTogether(ledger, 2, 9, true)).toEqual([])
    const [attemptId = 0] = (await ledger.database.query<{ id: number }>('SELECT id FROM attempt')).rows.map(
      (row) => row.id,
    )
    await ledger.ledger.attempts.claim({ attemptId, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 90_000 })
    await ledger.answer(attemptId, { class: 'accepted' })
    expect(await prepareTogether(ledger, 2, 9, true)).toEqual([[2, 3], [4], [5]])
  })
})

describeWithDatabase('a second credential of one person', () => {
  test('waits until the first is settled, because the report could not distinguish the two', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([onDay(1, 'Monday'), onDay(1, 'Tuesday'), onDay(2, 'Monday')], { rule: byDay })
    const first = await ledger.send(10)
    const later = async () => (await ledger.issuances())[1]
    expect(await later()).toMatchObject({
      state: 'pending',
      due: 'later',
      reason: expect.stringContaining('same person'),
    })
    for (const step of [
      () => ledger.answer(first, { class: 'unknown' }),
      () => ledger.scan([aReportItem(onDay(1, 'Monday'), { issued_status: 'Request inqueue' })]),
    ]) {
      await ledger.timePasses(5_000)
      expect(await prepareAll(ledger, 10)).toEqual([])
      await step()
    }
    await ledger.timePasses(5_000)
    expect(await prepareAll(ledger, 10)).toEqual([])
    await ledger.scan([aReportItem(onDay(1, 'Monday'))])
    await ledger.timePasses(5_000)
    expect(await prepareAll(ledger, 10)).toEqual([[1]])
  })

  test('also waits in another pipeline, and while the first is only prepared', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1), { pipeline: 'spring' })
    await ledger.publish(recipients(1), { pipeline: 'autumn', course: otherCourse })
    const first = (await prepareOne(ledger.ledger, 'spring', 10)) as number
    expect(await prepareAll(ledger, 10, 'autumn')).toEqual([])
    await ledger.ledger.attempts.drop(first, 'the course is disabled', 60_000)
    await ledger.database.query('UPDATE issuance SET due_at = clock_timestamp() WHERE id = 2')
    expect(await prepareAll(ledger, 10, 'autumn')).toEqual([[1]])
  })

  test('waits even if both are prepared concurrently', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(5), { pipeline: 'spring' })
    await ledger.publish(recipients(5), { pipeline: 'autumn', course: otherCourse })
    await Promise.all(['spring', 'autumn', 'spring', 'autumn'].map((each) => prepareOne(ledger.ledger, each, 5)))
    const twice = await ledger.database.query(
      `SELECT i.identity_hash FROM issuance i WHERE i.open_attempt IS NOT NULL
       GROUP BY i.identity_hash HAVING count(*) > 1`,
    )
    expect(twice.rows).toEqual([])
    expect(await ledger.queryOne('SELECT count(open_attempt) AS open FROM issuance')).toEqual({ open: 5 })
  })
})
