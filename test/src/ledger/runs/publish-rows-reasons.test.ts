// What a list says of each row that it skips.

import { expect, test } from 'vitest'
import { publication } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aStagedRow, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('a row that is skipped', () => {
  test('says from where its person is known, and what differs', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await testLedger.publish(recipients(4), { name: 'first.csv' })
    await withoutTriggers(database, `UPDATE issuance SET adopted_as = 'Welding' WHERE id IN (3, 4)`)
    const graded = (person: number) => aRecipient(person, { Grade: 'A' })
    const changed = { 'Birth Date': '1990-01-01', 'Last Name': 'King' }
    const list = [
      aRecipient(1),
      graded(2),
      aRecipient(3),
      aRecipient(4, changed),
      aRecipient(9),
      aRecipient(9),
      graded(9),
    ]
    const run = await testLedger.publish(list)
    const { rows } = await database.query<{ reason: string | null }>(
      'SELECT reason FROM run_row WHERE run_id = $1 ORDER BY row_number',
      [run],
    )
    const correction = 'a correction, which is never issued automatically'
    expect(rows.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^already known from first\.csv, row 2, received \d{4}-\d\d-\d\d$/),
      `known from row 3 of first.csv, and Grade differs: ${correction}`,
      'already known: first.csv',
      `known, first.csv, and Last Name differs: ${correction}`,
      null,
      'the same person as row 6 of this file',
      'the same person as row 6 of this file, and Grade differs: only that row is taken',
    ])
  })

  test('keeps an image that the known credential does not have', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await testLedger.publish(recipients(1))
    const source = { pipeline: 'spring', sourceName: 'a', sourcePath: '/a', sourceSha256: 'a' }
    const { run } = await ledger.runs.receive(source)
    const row = aStagedRow(2, aRecipient(1, { Grade: 'A' }), ledger.hasher)
    await ledger.intake.stage(run.id, [{ ...row, image: 'a' }], async () => ({ type: 'png', bytes: Buffer.from('a') }))
    await ledger.intake.publish(run.id, publication, 1)
    const { rows } = await database.query('SELECT FROM run_row WHERE run_id = $1 AND image_sha256 IS NOT NULL', [
      run.id,
    ])
    expect(rows).toHaveLength(1)
  })
})
