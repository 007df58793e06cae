// What the verbs of sending leave alone: rows that another attempt contains or another transaction has locked, people of
// another environment, and attempts that are not theirs.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, byPrimaryValue, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const claim = ({ ledger }: TestLedger, attemptId: number) =>
  ledger.attempts.claim({ attemptId, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 60_000 })

const byDay = { ...byPrimaryValue, occurrence: ['Day'] }
const onDay = (n: number, Day: string) => aRecipient(n, { Day })

describeWithDatabase('a row that is in another attempt by now', () => {
  /** Attempt 1 was prepared with both rows; row 2 says that it is in attempt 2. */
  async function openMoved(): Promise<TestLedger> {
    const testLedger = await openTestLedger()
    await testLedger.publish(recipients(3))
    await testLedger.ledger.attempts.prepare('spring', 2, { batches: 2 })
    await withoutTriggers(testLedger.database, 'UPDATE issuance SET open_attempt = 2 WHERE id = 2')
    return testLedger
  }
  const openAttempts = async ({ database }: TestLedger) =>
    (
      await database.query<{ attempt: number | null }>('SELECT open_attempt AS attempt FROM issuance ORDER BY id')
    ).rows.map(({ attempt }) => attempt)

  test('keeps the batch that once contained it from being claimed', async () => {
    await using testLedger = await openMoved()
    expect(await claim(testLedger, 1)).toBeNull()
    expect(await testLedger.states()).toEqual(['pending', 'pending', 'pending'])
    expect(await openAttempts(testLedger)).toEqual([null, 2, 2])
  })

  test('is not given back by the attempt that once contained it', async () => {
    await using testLedger = await openMoved()
    expect(await testLedger.ledger.attempts.drop(1, 'because', 0)).toBe(true)
    expect(await openAttempts(testLedger)).toEqual([null, 2, 2])
  })

  test('does not move with the attempt that once contained it', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(2))
    const attempt = await testLedger.send(2)
    await withoutTriggers(testLedger.database, 'UPDATE issuance SET open_attempt = 99 WHERE id = 2')
    expect(await testLedger.answer(attempt, { class: 'accepted' })).toBe(1)
    expect(await testLedger.states()).toEqual(['requested', 'sending'])
  })
})

describeWithDatabase('an attempt', () => {
  test.each(['sending', 'ended', 'dropped'])('that is %s cannot be claimed, whatever its rows say', async (phase) => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    const attempt = (await prepareOne(testLedger.ledger, 'spring', 1)) ?? 0
    await testLedger.database.query('UPDATE attempt SET phase = $1', [phase])
    expect(await claim(testLedger, attempt)).toBeNull()
    expect(await testLedger.states()).toEqual(['pending'])
  })

  test('without rows is lost with its worker, so that nobody waits for it', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    const attempt = await testLedger.send()
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'requested', open_attempt = NULL`)
    expect(await testLedger.ledger.attempts.markLost(randomUUID())).toEqual([attempt])
    expect(await testLedger.states()).toEqual(['requested'])
  })

  test('of a worker that is known to be dead is lost before its deadline, and no other', async () => {
    await using testLedger = await openTestLedger()
    const [dead, alive] = [randomUUID(), randomUUID()]
    const attempts: number[] = []
    for (const [n, instance] of [dead, alive].entries()) {
      await testLedger.publish(recipients(1, n + 1))
      const attemptId = (await prepareOne(testLedger.ledger, 'spring', 1)) ?? 0
      await testLedger.ledger.attempts.claim({ attemptId, instance, requestSha256: 'sha', deadlineMs: 60_000 })
      attempts.push(attemptId)
    }
    expect(await testLedger.ledger.attempts.markLost(null, undefined, [dead])).toEqual(attempts.slice(0, 1))
    expect(await testLedger.states()).toEqual(['unconfirmed', 'sending'])
  })
})

describeWithDatabase('a batch that is prepared', () => {
  test('takes no row that another transaction has locked, and does not wait for it', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(3))
    await using holder = openDatabase(testLedger.url, { connections: 1 })
    const attempts = await holder.transaction(async (sql) => {
      await sql.query('SELECT FROM issuance WHERE id = 2 FOR UPDATE')
      return testLedger.ledger.attempts.prepare('spring', 3)
    })
    const batch = await testLedger.ledger.attempts.load(attempts[0] ?? 0)
    expect(batch?.recipients.map(({ Email }) => Email)).toEqual(['person.1@example.org', 'person.3@example.org'])
  })
})

describeWithDatabase('a second credential of one person', () => {
  test('does not wait for a row of another pipeline that is due, but not picked', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    await testLedger.publish(recipients(1), { pipeline: 'autumn', course: otherCourse })
    expect(await prepareOne(testLedger.ledger, 'autumn', 1)).not.toBeNull()
  })

  test.each(['issued', 'failed'])('does not wait for one that is %s, whenever that is due', async (state) => {
    await using testLedger = await openTestLedger()
    await testLedger.publish([onDay(1, 'Monday'), onDay(1, 'Tuesday')], { rule: byDay })
    await withoutTriggers(
      testLedger.database,
      `UPDATE issuance SET state = $1, credential_id = 'C-1', due_at = 'infinity' WHERE id = 1`,
      [state],
    )
    expect(await prepareOne(testLedger.ledger, 'spring', 1)).not.toBeNull()
  })

  test('waits, and nobody else does', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish([onDay(1, 'Monday'), onDay(1, 'Tuesday')], { rule: byDay })
    await testLedger.publish(recipients(1, 2), { pipeline: 'autumn' })
    await prepareOne(testLedger.ledger, 'spring', 2)
    expect((await testLedger.issuances()).map(({ due }) => due)).toEqual(['out of sight', 'later', 'now'])
  })
})
