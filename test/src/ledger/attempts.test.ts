// Batches: which rows go together, in which order, and which have to wait.

import { expect, test } from 'vitest'
import type { Database } from '#src/database/database.ts'
import { prepareAttempt } from '#src/ledger/prepare.ts'
import { aCourse, aRecipient, aReportItem, byPrimaryValue, otherCourse, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

/** The addresses of a batch, as numbers. */
async function peopleOf({ ledger }: TestLedger, attempt: number | null): Promise<number[]> {
  const batch = attempt === null ? null : await ledger.loadBatch(attempt)
  return (batch?.recipients ?? []).map((each) => Number(each.Email?.match(/\d+/)?.[0]))
}

/** What goes into the next attempts, one after the other, until nothing is due. */
async function prepareAll(of: TestLedger, size: number, pipeline = 'spring'): Promise<number[][]> {
  const batches: number[][] = []
  for (;;) {
    const attempt = await of.ledger.prepareAttempt(pipeline, size)
    if (attempt === null) return batches
    batches.push(await peopleOf(of, attempt))
  }
}

const byDay = { ...byPrimaryValue, occurrence: ['Day'] }
const on = (n: number, Day: string) => aRecipient(n, { Day })

describeWithDatabase('a batch', () => {
  test('takes the rows in the order of the file, as many as it may', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([5, 3, 9, 1, 7].map((n) => aRecipient(n)))
    expect(await prepareAll(ledger, 2)).toEqual([[5, 3], [9, 1], [7]])
    expect(await ledger.ledger.countOpenAttempts()).toBe(3)
  })

  test('takes files in the order in which they came', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2, 10))
    await ledger.publish(recipients(2, 1))
    expect(await prepareAll(ledger, 3)).toEqual([[10, 11, 1], [2]])
  })

  test('sends nothing by itself: its rows are pending still, and out of sight of the next', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.ledger.prepareAttempt('spring', 10)
    expect(await ledger.standing()).toMatchObject([
      { state: 'pending', due: 'out of sight' },
      { state: 'pending', due: 'out of sight' },
    ])
    expect(await ledger.one('SELECT first_sent_at FROM issuance WHERE id = 1')).toEqual({ first_sent_at: null })
    expect(await ledger.ledger.pipelinesWithDueRows()).toEqual([])
  })

  test('is of one pipeline', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1, 1), { pipeline: 'spring' })
    await ledger.publish(recipients(1, 2), { pipeline: 'autumn' })
    expect(await ledger.ledger.pipelinesWithDueRows()).toEqual(['autumn', 'spring'])
    expect(await prepareAll(ledger, 10, 'autumn')).toEqual([[2]])
    expect(await prepareAll(ledger, 10, 'nobody')).toEqual([])
  })

  test('goes to the pipeline with the fewest batches open, so that a short list does not wait behind a long one', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3, 1), { pipeline: 'autumn' })
    await ledger.publish(recipients(1, 4), { pipeline: 'spring' })
    expect(await ledger.ledger.prepareAttempt('autumn', 1)).not.toBeNull()
    expect(await ledger.ledger.pipelinesWithDueRows()).toEqual(['spring', 'autumn'])
  })

  test('is of one course', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2, 1))
    await ledger.publish(recipients(2, 3), { course: otherCourse })
    expect(await prepareAll(ledger, 10)).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  test('is no larger than the cap of its rows, and mixes no caps', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(6))
    await ledger.database.query('UPDATE issuance SET batch_cap = 2 WHERE id <= 3')
    expect(await prepareAll(ledger, 10)).toEqual([[1, 2], [3], [4, 5, 6]])
  })

  test('waits while its course is paused, and goes by itself afterwards', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1, 1))
    await ledger.publish(recipients(1, 2), { course: otherCourse })
    await ledger.ledger.pauseCourse(aCourse, 'the course is disabled', 60_000)
    expect(await ledger.ledger.pauses()).toMatchObject([{ courseUuid: aCourse, reason: 'the course is disabled' }])
    expect((await ledger.ledger.explain({ id: 1 }))[0]?.pauseReason).toBe('the course is disabled')
    expect(await prepareAll(ledger, 10)).toEqual([[2]])
    await ledger.database.query(`UPDATE course SET paused_until = clock_timestamp() - interval '1 second'`)
    expect(await prepareAll(ledger, 10)).toEqual([[1]])
  })

  test('of rows that wait their time is not made before', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'throttled', retryAfterMs: 60_000 })
    expect(await prepareAll(ledger, 10)).toEqual([])
    await ledger.timePasses(60_000)
    expect(await prepareAll(ledger, 10)).toEqual([[1]])
  })

  test('never shares a row with another, however many prepare at once', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(45))
    const attempts = await Promise.all(Array.from({ length: 10 }, () => ledger.ledger.prepareAttempt('spring', 5)))
    const people = (await Promise.all(attempts.map((each) => peopleOf(ledger, each)))).flat()
    expect(attempts.filter((each) => each === null)).toHaveLength(1)
    expect(people.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1))
  })

  test('keeps the others from preparing for ten seconds at most where its process stands still', async () => {
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
    const of = { environment: 'development', pipeline: 'spring', size: 1, canary: false }
    expect(await prepareAttempt(watched, of)).not.toBeNull()
    // And no longer than that transaction.
    expect(await ledger.one('SHOW idle_in_transaction_session_timeout')).toEqual({
      idle_in_transaction_session_timeout: '1min',
    })
  })

  test('cannot share a row with another: the database refuses the second', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await ledger.ledger.prepareAttempt('spring', 1)
    const other = await ledger.ledger.prepareAttempt('spring', 1)
    const steal = 'INSERT INTO attempt_item (attempt_id, issuance_id, position) VALUES ($1, 1, 2)'
    await expect(ledger.database.query(steal, [other])).rejects.toThrow('attempt_item_one_open')
  })
})

describeWithDatabase('a second credential of one person', () => {
  test('waits until the first is settled, for the report could not tell the two apart', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([on(1, 'Monday'), on(1, 'Tuesday'), on(2, 'Monday')], { rule: byDay })
    const first = await ledger.send(10)
    const later = async () => (await ledger.standing())[1]
    expect(await later()).toMatchObject({
      state: 'pending',
      due: 'later',
      reason: expect.stringContaining('same person'),
    })
    for (const step of [
      () => ledger.answer(first, { class: 'unknown' }),
      () => ledger.scan([aReportItem(on(1, 'Monday'), { issued_status: 'Request inqueue' })]),
    ]) {
      await ledger.timePasses(5_000)
      expect(await prepareAll(ledger, 10)).toEqual([])
      await step()
    }
    await ledger.timePasses(5_000)
    expect(await prepareAll(ledger, 10)).toEqual([])
    await ledger.scan([aReportItem(on(1, 'Monday'))])
    await ledger.timePasses(5_000)
    expect(await prepareAll(ledger, 10)).toEqual([[1]])
  })

  test('waits also in another pipeline, and while the first is only prepared', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1), { pipeline: 'spring' })
    await ledger.publish(recipients(1), { pipeline: 'autumn', course: otherCourse })
    const first = (await ledger.ledger.prepareAttempt('spring', 10)) as number
    expect(await prepareAll(ledger, 10, 'autumn')).toEqual([])
    await ledger.ledger.dropAttempt(first, 'the course is disabled', 60_000)
    await ledger.database.query('UPDATE issuance SET due_at = clock_timestamp() WHERE id = 2')
    expect(await prepareAll(ledger, 10, 'autumn')).toEqual([[1]])
  })

  test('does not slip through when both are prepared at once', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(5), { pipeline: 'spring' })
    await ledger.publish(recipients(5), { pipeline: 'autumn', course: otherCourse })
    await Promise.all(['spring', 'autumn', 'spring', 'autumn'].map((each) => ledger.ledger.prepareAttempt(each, 5)))
    const twice = await ledger.database.query(
      `SELECT i.identity_hash FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id WHERE t.open
       GROUP BY i.identity_hash HAVING count(*) > 1`,
    )
    expect(twice.rows).toEqual([])
    expect(await ledger.one('SELECT count(*) AS open FROM attempt_item WHERE open')).toEqual({ open: 5 })
  })
})
