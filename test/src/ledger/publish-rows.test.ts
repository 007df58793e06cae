// A list of more rows than are published with one statement comes into the ledger as a short one does.

import { expect, test } from 'vitest'
import { aBadRow, aRecipient, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

const many = 20_050

describeWithDatabase('a list of twenty thousand rows', () => {
  test('is sent in its order, each person once, whoever stands in it again or was known before', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([aRecipient(3), aRecipient(many)], { name: 'before.csv' })
    const again = [aRecipient(1), aRecipient(many - 1, { 'Birth Date': '1990-01-01' })]
    const bad = aBadRow(many + 4)
    const run = await ledger.publish([...recipients(many), ...again], { more: [bad] })

    expect(await ledger.ledger.findRun(run)).toMatchObject({
      ...{ rows: many + 3, invalid: 1, accepted: many - 2, skipped: 4, known: 3, changed: 1 },
    })
    const { rows: order } = await ledger.database.query<{ row: number }>(
      'SELECT row_number AS row FROM issuance WHERE run_id = $1 ORDER BY id',
      [run],
    )
    expect(order).toEqual(order.toSorted((a, b) => a.row - b.row))
    expect(
      await ledger.one(
        `SELECT count(*) AS whole FROM issuance i JOIN run_row r ON r.issuance_id = i.id AND r.run_id = i.run_id AND r.row_number = i.row_number
         JOIN issuance_match m ON m.issuance_id = i.id JOIN history h ON h.issuance_id = i.id
         WHERE r.outcome = 'accepted' AND r.cells->>0 = i.recipient->>'Email' AND h.event = 'accepted' AND h.to_state = 'pending' AND h.evidence = i.evidence`,
      ),
    ).toEqual({ whole: many })
    const why = 'SELECT row_number AS row, reason FROM run_row WHERE run_id = $1 AND outcome = $2 ORDER BY row_number'
    const { rows: skipped } = await ledger.database.query<{ row: number; reason: string }>(why, [run, 'skipped'])
    expect(skipped).toMatchObject([
      { row: 4, reason: expect.stringMatching(/^already known from before\.csv, row 2/) },
      { row: many + 1, reason: expect.stringMatching(/^already known from before\.csv, row 3/) },
      { row: many + 2, reason: 'the same person as row 2 of this file' },
      {
        row: many + 3,
        reason: `the same person as row ${many} of this file, and Birth Date differs: only that row is taken`,
      },
    ])
    expect(await ledger.one('SELECT count(*) AS staged FROM staged_row')).toEqual({ staged: 0 })
  }, 60_000)

  test('that is known by now is skipped, row by row', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(many))
    const run = await ledger.publish(recipients(many))
    const counts = { rows: many, accepted: 0, skipped: many, known: many, changed: 0, gone: 0 }
    expect(await ledger.ledger.findRun(run)).toMatchObject(counts)
  }, 60_000)

  test('names one person by two names in rows far apart: both are refused, and nobody else', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([...recipients(many), aRecipient(7, { 'Last Name': 'King' })])
    expect(await ledger.ledger.findRun(run)).toMatchObject({
      rows: many + 1,
      invalid: 2,
      accepted: many - 1,
      skipped: 0,
    })
  }, 60_000)
})
