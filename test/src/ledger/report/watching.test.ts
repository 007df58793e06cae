// The watch over issued credentials: when it is due, and which credentials it is about.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { hour, openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const noon = (day: number) => new Date(`2026-03-0${day}T12:00:00Z`)

/**
 * Rows 1 to 5 are issued, row 6 is revoked, and row 7 is issued in another environment with the item of row 1. Row N has
 * the item `item-N`, which was claimed on day N.
 */
async function openIssued(): Promise<{ testLedger: TestLedger; production: WholeLedger }> {
  const testLedger = await openTestLedger()
  const { database } = testLedger
  const production = await openWholeLedger(database, 'production')
  await testLedger.publish(recipients(6))
  await publish(production, recipients(1))
  await withoutTriggers(
    database,
    `UPDATE issuance SET state = CASE id WHEN 6 THEN 'revoked' ELSE 'issued' END, credential_id = 'C-' || id, first_sent_at = $1`,
    [noon(1)],
  )
  await database.query(
    `INSERT INTO report_claim (environment, issuance_id, item_key, fingerprint, claimed_at)
     SELECT environment, id, 'item-' || CASE id WHEN 7 THEN 1 ELSE id END, 'f', $1::timestamptz + make_interval(days => id::int - 1) FROM issuance`,
    [noon(1)],
  )
  for (const ledger of [testLedger.ledger, production]) await ledger.watching.begin(new Date(0))
  return { testLedger, production }
}

/** What the claims of an environment say of these items. */
async function claimsOf({ database }: TestLedger, environment = 'development') {
  const { rows } = await database.query<{ id: number; missing: boolean; looked: boolean }>(
    `SELECT issuance_id AS id, missing_since IS NOT NULL AS missing, looked_at IS NOT NULL AS looked
     FROM report_claim WHERE environment = $1 ORDER BY issuance_id`,
    [environment],
  )
  return rows
}
const idsWhere = <Row extends { id: number }>(rows: readonly Row[], is: (row: Row) => boolean) =>
  rows.filter(is).map(({ id }) => id)

describeWithDatabase('the check of issued credentials', () => {
  test('stays due if it was missed and the worker is restarted', async () => {
    await using testLedger = await openTestLedger()
    const { watching } = testLedger.ledger
    const later = new Date(Date.now() + hour)
    await watching.begin(later)
    expect(await watching.take()).toBe(false)
    await watching.begin(new Date(0))
    await watching.begin(later)
    expect(await watching.take()).toBe(true)
  })

  test('is not due, and has not begun, before a worker has started', async () => {
    await using testLedger = await openTestLedger()
    expect(await testLedger.ledger.watching.status()).toMatchObject({
      ...{ due: false, allWanted: false, sortedAt: null, roundStartedAt: null, position: 0, pageRecords: null },
    })
  })

  test.each<[what: string, wantedAt: Date | null, doneAt: Date | null, isWanted: boolean]>([
    ['was never requested', null, null, false],
    ['was requested, and never done', noon(2), null, true],
    ['was requested after it was done', noon(2), noon(1), true],
    ['was requested in the moment in which it was done', noon(1), noon(1), false],
    ['was done after it was requested', noon(1), noon(2), false],
  ])('that %s is due at once: a full check', async (_, wantedAt, doneAt, isWanted) => {
    const { testLedger } = await openIssued()
    await using __ = testLedger
    const { watching } = testLedger.ledger
    await testLedger.database.query('UPDATE credential_watch SET all_wanted_at = $1, all_done_at = $2', [
      wantedAt,
      doneAt,
    ])
    expect((await watching.status()).allWanted).toBe(isWanted)
    await watching.endCheck('pages', new Date(Date.now() + hour))
    expect((await watching.status()).due).toBe(isWanted)
  })

  test('is done for everyone who requested it by then', async () => {
    const { testLedger, production } = await openIssued()
    await using _ = testLedger
    await testLedger.database.query(`UPDATE credential_watch SET all_done_at = $1 WHERE environment = 'development'`, [
      noon(2),
    ])
    const { watching } = testLedger.ledger
    expect(await watching.allDoneSince(noon(2))).toBe(true)
    expect(await watching.allDoneSince(noon(1))).toBe(true)
    expect(await watching.allDoneSince(noon(3))).toBe(false)
    expect(await production.watching.allDoneSince(noon(1))).toBe(false)
  })
})

describeWithDatabase('issued credentials', () => {
  test('are counted by the day of their request, as the report dates it or else as they were sent', async () => {
    const { testLedger } = await openIssued()
    await using _ = testLedger
    await testLedger.database.query(
      `INSERT INTO sighting (environment, item_key, request_date) VALUES ('development', 'item-1', '2026-02-01'),
         ('development', 'item-2', NULL), ('production', 'item-3', '2026-02-02'), ('development', 'item-9', '2026-02-03'),
         ('development', 'item-4', '2026-02-01'), ('development', 'item-6', '2026-02-01')`,
    )
    expect(await testLedger.ledger.watching.issuedDays()).toEqual([
      { day: '2026-02-01', issued: 2, lookedAt: noon(1) },
      { day: '2026-03-01', issued: 3, lookedAt: noon(2) },
    ])
  })

  test('count as checked when the report was last read in their order', async () => {
    const { testLedger, production } = await openIssued()
    await using _ = testLedger
    await production.watching.noteInOrder(noon(9))
    await testLedger.ledger.watching.noteInOrder(noon(4))
    expect(await testLedger.ledger.watching.issuedDays()).toEqual([{ day: '2026-03-01', issued: 5, lookedAt: noon(4) }])
  })

  test('that were checked longest ago are searched for first', async () => {
    const { testLedger } = await openIssued()
    await using _ = testLedger
    const { ledger, database } = testLedger
    await database.query('UPDATE report_claim SET looked_at = $1 WHERE issuance_id = 1', [noon(4)])
    await database.query('UPDATE report_claim SET looked_at = $1 WHERE issuance_id = 5', [noon(2)])
    const ids = async (...parameters: Parameters<typeof ledger.watching.unseen>) =>
      (await ledger.watching.unseen(...parameters)).map(({ id }) => id)
    expect(await ids(null, noon(9), 9)).toEqual([2, 5, 3, 1, 4])
    expect(await ids(null, noon(4), 9)).toEqual([2, 5, 3])
    expect(await ids(null, noon(9), 2)).toEqual([2, 5])
    await database.query(
      `INSERT INTO sighting (environment, item_key, request_date) SELECT 'development', 'item-' || n, '2026-02-01'::date + n FROM generate_series(1, 5) n`,
    )
    expect(await ids({ from: '2026-02-03', to: '2026-02-05' }, noon(9), 9)).toEqual([2, 3, 4])
  })

  test('are noted as seen outside a round too, which begins no round', async () => {
    const { testLedger } = await openIssued()
    await using _ = testLedger
    const { watching } = testLedger.ledger
    await watching.noteSeen(['item-1'], { position: 5, pageRecords: 5 })
    await watching.noteSeen(['item-2'], null)
    expect(await watching.status()).toMatchObject({ position: 5, pageRecords: 5 })
    expect(idsWhere(await claimsOf(testLedger), ({ looked }) => looked)).toEqual([1, 2])
  })

  test('are left for the next check while another transaction has their claims', async () => {
    const { testLedger } = await openIssued()
    await using _ = testLedger
    await using holder = openDatabase(testLedger.url, { connections: 1 })
    await holder.transaction(async (sql) => {
      await sql.query('SELECT FROM report_claim WHERE issuance_id = 2 FOR UPDATE')
      await testLedger.ledger.watching.noteSeen(['item-1', 'item-2', 'item-3'], null)
    })
    expect(idsWhere(await claimsOf(testLedger), ({ looked }) => looked)).toEqual([1, 3])
  })

  test('that the report does not show are missing since the first search for them', async () => {
    const { testLedger } = await openIssued()
    await using _ = testLedger
    const { ledger, database } = testLedger
    await ledger.watching.noteLooked([1, 2], false)
    await database.query('UPDATE report_claim SET missing_since = $1 WHERE issuance_id = 1', [noon(1)])
    await ledger.watching.noteLooked([1], false)
    expect(await testLedger.queryOne('SELECT missing_since AS at FROM report_claim WHERE issuance_id = 1')).toEqual({
      at: noon(1),
    })
    await ledger.watching.noteLooked([2], true)
    expect(idsWhere(await claimsOf(testLedger), ({ missing }) => missing)).toEqual([1])
  })
})
