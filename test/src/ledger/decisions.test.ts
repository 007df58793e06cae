// Operators' decisions about held and failed rows, with a real database.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { correctionOf } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const decision = { by: 'Ada', why: 'looked it up in the portal' }

/** A ledger in which person 1 is held, because the report shows a different name for the address. */
async function heldForName(): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: 'accepted' })
  await ledger.scan([aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })])
  expect(await ledger.states()).toEqual(['held'])
  return ledger
}

describeWithDatabase('a held row', () => {
  test('is listed with its evidence', async () => {
    await using ledger = await heldForName()
    const [held] = await ledger.ledger.decisions.heldRows()
    expect(held).toMatchObject({
      id: 1,
      sendings: 1,
      claimedItem: expect.any(String),
      reason: expect.stringContaining('First Name'),
    })
  })

  test('is listed with what it shows if its evidence does not name a status or a credential', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await withoutTriggers(
      ledger.database,
      `UPDATE issuance SET state = 'held', report_status = 'shown', credential_id = 'C-' || id,
         evidence = CASE id WHEN 1 THEN '{"label": "of the evidence", "credential": "C-9"}'::jsonb ELSE '{}' END`,
    )
    expect(await ledger.ledger.decisions.heldRows()).toMatchObject([
      { id: 1, reportStatus: 'of the evidence', credentialId: 'C-9' },
      { id: 2, reportStatus: 'shown', credentialId: 'C-2' },
    ])
  })

  test('is listed after the rows that have been held for longer', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(3))
    await withoutTriggers(
      ledger.database,
      `UPDATE issuance SET state = 'held', state_since = '2026-03-01'::timestamptz + CASE id WHEN 2 THEN interval '0' ELSE interval '1 h' END`,
    )
    // Stored last, so that a read without an order comes to it last.
    await withoutTriggers(ledger.database, 'UPDATE issuance SET looks = 1 WHERE id = 1')
    expect((await ledger.ledger.decisions.heldRows()).map(({ id }) => id)).toEqual([2, 1, 3])
  })

  test('that the service has received is followed until it is issued, and nothing is sent', async () => {
    await using ledger = await heldForName()
    expect(await ledger.ledger.decisions.resolve([1], 'sent', decision)).toEqual([1])
    await ledger.scan([aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })])
    expect(await ledger.states()).toEqual(['issued'])
    expect(await prepareOne(ledger.ledger, 'spring', 10)).toBeNull()
  })

  test('is followed by its own item, not by the wrong one beside it, once an operator decides that it was sent', async () => {
    await using ledger = await heldForName()
    const wrong = aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })
    const right = aReportItem(aRecipient(1), { entity_uuid: 'the-right-one', credential_id: '1-2' })
    await ledger.scan([wrong, right])
    await ledger.ledger.decisions.resolve([1], 'sent', decision)
    await ledger.scan([wrong, right])
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained).toMatchObject({ state: 'issued', entityUuid: 'the-right-one', credentialId: '1-2' })
  })

  test('that the service has not received is sent as if for the first time, and earlier report items do not count as its own', async () => {
    await using ledger = await heldForName()
    const wrong = aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })
    expect(await ledger.ledger.decisions.resolve([1], 'not sent', decision)).toEqual([1])
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([wrong])
    expect(await ledger.states()).toEqual(['requested'])
    await ledger.scan([wrong, aReportItem(aRecipient(1), { entity_uuid: 'the-right-one', credential_id: '1-2' })])
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained).toMatchObject({ state: 'issued', entityUuid: 'the-right-one', credentialId: '1-2' })
  })

  test('is decided once, with the operator and the reason in its history', async () => {
    await using ledger = await heldForName()
    await ledger.ledger.decisions.resolve([1], 'sent', decision)
    expect(await ledger.ledger.decisions.resolve([1], 'not sent', decision)).toEqual([])
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.at(-1)).toMatchObject({
      event: 'a person decided: sent',
      from: 'held',
      to: 'requested',
      evidence: decision,
    })
  })

  test('is not held again because of a second item that the operator already knew of', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const twoItems = ['one', 'two'].map((entity_uuid) =>
      aReportItem(aRecipient(1), { entity_uuid, issued_status: 'Request inqueue' }),
    )
    await ledger.scan(twoItems)
    await ledger.scan(twoItems)
    expect(await ledger.states()).toEqual(['held'])
    await ledger.ledger.decisions.resolve([1], 'sent', decision)
    await ledger.scan(twoItems)
    expect(await ledger.states()).toEqual(['requested'])
    await ledger.scan([
      ...twoItems,
      aReportItem(aRecipient(1), { entity_uuid: 'three', issued_status: 'Request inqueue' }),
    ])
    expect(await ledger.states()).toEqual(['held'])
  })
})

describeWithDatabase('a failed row', () => {
  test('is sent again without the other rows, and its run is not settled until then', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish(recipients(3))
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([2, 3].map((n) => aReportItem(aRecipient(n))))
    expect(await ledger.states()).toEqual(['failed', 'issued', 'issued'])
    expect(await ledger.ledger.runs.settle()).toEqual([run])
    expect(await ledger.ledger.decisions.retry({ run }, decision)).toEqual([1])
    expect((await ledger.ledger.runs.find(run))?.settledAt).toBeNull()
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([1, 2, 3].map((n) => aReportItem(aRecipient(n))))
    expect(await ledger.states()).toEqual(['issued', 'issued', 'issued'])
    expect(await ledger.ledger.runs.settle()).toEqual([run])
  })
})

const failed = `state = 'failed', attempt_id = 1`
/** Rows by what they are; those that may be sent again, and those that may not. */
const rowsToRetry: [what: string, columns: string, isSentAgain: boolean][] = [
  ['failed', failed, true],
  ['failed, with a credential', `${failed}, credential_id = 'C-2'`, false],
  ['failed, with another item for the person', `${failed}, surplus_items = 1`, false],
  ['adopted, and never sent', `${failed}, attempt_id = NULL, adopted_as = 'Welding'`, false],
  ['adopted, and sent', `${failed}, adopted_as = 'Welding'`, true],
  ['failed, with no attempt recorded', `${failed}, attempt_id = NULL`, true],
  ['rejected', `${failed}, state = 'rejected'`, false],
  ['held', `${failed}, state = 'held'`, false],
]

describeWithDatabase('rows that an operator sends again', () => {
  async function openFailed(): Promise<{ ledger: TestLedger; run: string; retried: number[] }> {
    const ledger = await openTestLedger()
    const run = await ledger.publish(recipients(rowsToRetry.length))
    for (const [index, [, columns]] of rowsToRetry.entries()) {
      // The last of two values for one column counts.
      const values = new Map(columns.split(', ').map((each) => [each.split(' = ')[0], each]))
      await withoutTriggers(ledger.database, `UPDATE issuance SET ${[...values.values()].join()} WHERE id = $1`, [
        index + 1,
      ])
    }
    const retried = rowsToRetry.flatMap(([, , isSentAgain], index) => (isSentAgain ? [index + 1] : []))
    return { ledger, run, retried }
  }
  const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

  test('are those that failed without a credential, and of which the recipient is known', async () => {
    const { ledger: opened, retried } = await openFailed()
    await using ledger = opened
    const ids = rowsToRetry.map((_, index) => index + 1)
    expect(sorted(await ledger.ledger.decisions.retry({ ids }, decision))).toEqual(retried)
  })

  test('are the same if a run is named, without the rows that it skipped', async () => {
    const { ledger: opened, run, retried } = await openFailed()
    await using ledger = opened
    const other = await ledger.publish(recipients(2, 50))
    await withoutTriggers(ledger.database, `UPDATE issuance SET ${failed} WHERE id > $1`, [rowsToRetry.length])
    await withoutTriggers(
      ledger.database,
      `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id)
       SELECT $1, 90 + id, 'skipped', '[]', id FROM issuance WHERE run_id = $2`,
      [run, other],
    )
    expect(sorted(await ledger.ledger.decisions.retry({ run }, decision))).toEqual(retried)
  })

  test('may be corrected even if only a part of their recipient is known', async () => {
    const { ledger: opened } = await openFailed()
    await using ledger = opened
    const adopted = rowsToRetry.findIndex(([what]) => what === 'adopted, and never sent') + 1
    expect(await ledger.ledger.decisions.correct(adopted, correctionOf(ledger, adopted), decision)).toBe(true)
  })
})

describeWithDatabase('a correction of a failed row', () => {
  const imageOf = (text: string) => createHash('sha256').update(text).digest()
  const [old, known, unknown] = [imageOf('old'), imageOf('known'), imageOf('unknown')]

  /** One failed row with an image that is no longer stored; another image is. */
  async function openFailedOne(): Promise<TestLedger> {
    const ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await withoutTriggers(ledger.database, `UPDATE issuance SET ${failed}, image_sha256 = $1`, [old])
    await ledger.database.query(`INSERT INTO image (sha256, bytes, type) VALUES ($1, '', 'png')`, [known])
    return ledger
  }
  const imageOfRow = async (ledger: TestLedger) =>
    (await ledger.queryOne<{ image: Buffer }>('SELECT image_sha256 AS image FROM issuance WHERE id = 1')).image

  test('keeps the image if it has no other', async () => {
    await using ledger = await openFailedOne()
    await ledger.ledger.decisions.correct(1, correctionOf(ledger, 1), decision)
    expect(await imageOfRow(ledger)).toEqual(old)
  })

  test.each([
    ['with an image that was deleted', 1, unknown],
    ['about another person', 2, null],
  ])('%s is refused, and nothing is sent', async (_, person, imageSha256) => {
    await using ledger = await openFailedOne()
    const correction = { ...correctionOf(ledger, person), imageSha256 }
    await expect(ledger.ledger.decisions.correct(1, correction, decision)).rejects.toThrow('nothing was sent')
    expect(await ledger.states()).toEqual(['failed', 'failed'])
  })
})
