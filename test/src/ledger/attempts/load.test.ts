// A prepared batch as it is read before it is sent: its rows in order, and the end of the last call with any of them.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

/** Puts the rows of an attempt back, as a report does that proves that they were not taken. */
async function sendAgain({ ledger, database }: TestLedger, attempt: number): Promise<void> {
  const { rows } = await database.query<{ id: number }>('SELECT id FROM issuance WHERE attempt_id = $1', [attempt])
  const scan = await ledger.scans.begin('2000-01-01')
  const ids = rows.map(({ id }) => id)
  await ledger.absence.sendAgain(ids, { batchCap: null, countsAsResend: true }, scan)
}

const endOf = async (testLedger: TestLedger, attempt: number) =>
  (await testLedger.queryOne<{ at: Date }>('SELECT ended_at AS at FROM attempt WHERE id = $1', [attempt])).at

describeWithDatabase('a prepared batch', () => {
  test('has its rows and their images in the order of sending, whatever the order of their ids', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await testLedger.publish(recipients(3))
    await database.query(
      `UPDATE issuance SET due_at = due_at - make_interval(mins => id::int), image_sha256 = sha256(id::text::bytea)`,
    )
    const attempt = (await prepareOne(ledger, 'spring', 3)) ?? 0
    // Stored last, so that a read without an order comes to it last.
    await database.query('UPDATE attempt_item SET position = position WHERE position = 1')
    const batch = await ledger.attempts.load(attempt)
    expect(batch?.recipients).toEqual([aRecipient(3), aRecipient(2), aRecipient(1)])
    const { images } = await testLedger.queryOne<{ images: string[] }>(
      `SELECT array_agg(encode(image_sha256, 'hex') ORDER BY id DESC) AS images FROM issuance`,
    )
    expect(batch?.images).toEqual(images)
  })

  test('names the end of the last call with one of its rows, and not that of a call with others', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await testLedger.publish(recipients(1))
    const first = await testLedger.send(1)
    await testLedger.answer(first, { class: 'unknown' })
    await testLedger.publish(recipients(1, 5))
    await testLedger.answer(await testLedger.send(1), { class: 'unknown' })
    await sendAgain(testLedger, first)
    const again = (await prepareOne(ledger, 'spring', 1)) ?? 0
    expect((await ledger.attempts.load(again))?.lastCallAt).toEqual(await endOf(testLedger, first))
  })

  test('names the end of a throttled call too', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    const first = await testLedger.send(1)
    await testLedger.answer(first, { class: 'throttled', retryAfterMs: 0 })
    const again = (await prepareOne(testLedger.ledger, 'spring', 1)) ?? 0
    expect((await testLedger.ledger.attempts.load(again))?.lastCallAt).toEqual(await endOf(testLedger, first))
  })

  test('names no call that was not sent, and none that has not ended', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await testLedger.publish(recipients(1))
    await testLedger.answer(await testLedger.send(1), { class: 'not_sent' })
    await testLedger.database.query('UPDATE issuance SET due_at = clock_timestamp()')
    const dropped = (await prepareOne(ledger, 'spring', 1)) ?? 0
    await ledger.attempts.drop(dropped, 'because', 0)
    const again = (await prepareOne(ledger, 'spring', 1)) ?? 0
    expect(await ledger.attempts.load(again)).toMatchObject({ lastCallAt: null })
  })
})
