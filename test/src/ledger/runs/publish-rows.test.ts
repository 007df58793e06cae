// A list that is so long that it is published in several statements is stored like a short one, and the planner gets to
// know of it.

import { expect, test } from 'vitest'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import { aBadRow, aRecipient, recipients } from '#test/support/domain-objects.ts'
import { keepStatistics } from '#test/support/plans.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const rowCount = 20_050

describeWithDatabase('a list of twenty thousand rows', () => {
  test('is stored in order, each person once, whether repeated in the list or known before', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([aRecipient(3), aRecipient(rowCount)], { name: 'before.csv' })
    const again = [aRecipient(1), aRecipient(rowCount - 1, { 'Birth Date': '1990-01-01' })]
    const bad = aBadRow(rowCount + 4)
    const run = await ledger.publish([...recipients(rowCount), ...again], { more: [bad] })

    expect(await ledger.ledger.runs.find(run)).toMatchObject({
      ...{ rows: rowCount + 3, invalid: 1, accepted: rowCount - 2, skipped: 4, known: 3, changed: 1 },
    })
    const { rows: order } = await ledger.database.query<{ row: number }>(
      'SELECT row_number AS row FROM issuance WHERE run_id = $1 ORDER BY id',
      [run],
    )
    expect(order).toEqual(order.toSorted((a, b) => a.row - b.row))
    expect(
      await ledger.queryOne(
        `SELECT count(*) AS whole FROM issuance i JOIN run_row r ON r.issuance_id = i.id AND r.run_id = i.run_id AND r.row_number = i.row_number
         JOIN issuance_match m ON m.issuance_id = i.id JOIN history h ON h.issuance_id = i.id
         WHERE r.outcome = 'accepted' AND r.cells->>0 = i.recipient->>'Email' AND h.event = 'accepted' AND h.to_state = 'pending' AND h.evidence = i.evidence`,
      ),
    ).toEqual({ whole: rowCount })
    const why = 'SELECT row_number AS row, reason FROM run_row WHERE run_id = $1 AND outcome = $2 ORDER BY row_number'
    const { rows: skipped } = await ledger.database.query<{ row: number; reason: string }>(why, [run, 'skipped'])
    expect(skipped).toMatchObject([
      { row: 4, reason: expect.stringMatching(/^already known from before\.csv, row 2/) },
      { row: rowCount + 1, reason: expect.stringMatching(/^already known from before\.csv, row 3/) },
      { row: rowCount + 2, reason: 'the same person as row 2 of this file' },
      {
        row: rowCount + 3,
        reason: `the same person as row ${rowCount} of this file, and Birth Date differs: only that row is taken`,
      },
    ])
    expect(await ledger.queryOne('SELECT count(*) AS staged FROM staged_row')).toEqual({ staged: 0 })
  })
})

describeWithDatabase('the statistics of the planner', () => {
  test.each<[what: string, rows: number, before: number, isRenewed: boolean]>([
    ['are taken when a list is a tenth of the ledger', 500, 4_900, true],
    ['are taken when there are none', 500, -1, true],
    ['stay when a list is less than a tenth of the ledger', 500, 5_100, false],
    ['stay when a list is short', 499, -1, false],
  ])('%s', async (_, rows, before, isRenewed) => {
    await using ledger = await openTestLedger()
    await keepStatistics(ledger)
    await onServer(`UPDATE pg_class SET reltuples = ${before} WHERE oid = 'credsync.issuance'::regclass`, ledger.url)
    await ledger.publish(recipients(rows))
    const { known } = (await ledger.queryOne(
      `SELECT reltuples AS known FROM pg_class WHERE oid = 'credsync.issuance'::regclass`,
    )) as { known: number }
    expect(known).toBe(isRenewed ? rows : before)
  })
})
