// Which scans count as complete and as a baseline, and when an item was first seen.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { scanStore } from '#src/ledger/report/scans.ts'
import { steppedDatabase } from '#test/guarantees/interleavings/stepped-database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const minute = 60_000
const begun = new Date('2026-03-01T12:00:00Z')

interface Scan {
  environment?: string
  complete?: boolean
  startedAt?: Date
  /** Minutes since its end. */
  age?: number
  /** How many days it reaches back. */
  days?: number
}

async function openWith(scan: Scan): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const { environment = 'development', complete = true, startedAt = begun, age = 5, days = 2 } = scan
  await testLedger.database.query(
    `INSERT INTO scan (environment, complete, started_at, ended_at, since)
     VALUES ($1, $2, $3, clock_timestamp() - make_interval(mins => $4), (clock_timestamp() AT TIME ZONE 'UTC')::date - $5::int)`,
    [environment, complete, startedAt, age, days],
  )
  return testLedger
}

describeWithDatabase('a scan', () => {
  test.each<[what: string, counts: boolean, scan: Scan]>([
    ['that began at that time', true, {}],
    ['that began before', false, { startedAt: new Date(begun.getTime() - 1) }],
    ['that is not complete', false, { complete: false }],
    ['of another environment', false, { environment: 'production' }],
  ])('%s fulfills a request for a full scan: %s', async (_, counts, scan) => {
    await using testLedger = await openWith(scan)
    expect(await testLedger.ledger.scans.completeSince(begun)).toBe(counts)
  })

  test.each<[what: string, counts: boolean, scan: Scan]>([
    ['that has just ended', true, {}],
    ['that ended too long ago', false, { age: 15 }],
    ['that did not reach back far enough', false, { days: 1 }],
    ['that reached back further', true, { days: 3 }],
    ['that is not complete', false, { complete: false }],
    ['of another environment', false, { environment: 'production' }],
  ])('%s is a baseline: %s', async (_, counts, scan) => {
    await using testLedger = await openWith(scan)
    expect(await testLedger.ledger.scans.baselineIsFresh(10 * minute)).toBe(counts)
  })

  test.each<[what: string, counts: boolean, lastCall: Date]>([
    ['ended before the scan began', true, new Date(begun.getTime() - 1)],
    ['ended as the scan began', false, begun],
  ])('is a baseline for rows whose last call %s: %s', async (_, counts, lastCall) => {
    await using testLedger = await openWith({})
    expect(await testLedger.ledger.scans.baselineIsFresh(10 * minute, lastCall)).toBe(counts)
  })
})

describeWithDatabase('the first sighting of an item', () => {
  const item = (key: string, fingerprint = key) => ({ key, fingerprint, requestDate: null })
  const keysOf = async ({ database }: TestLedger, environment = 'development') => {
    const { rows } = await database.query<{ key: string }>(
      'SELECT item_key AS key FROM sighting WHERE environment = $1 ORDER BY item_key',
      [environment],
    )
    return rows.map(({ key }) => key)
  }

  test('moves to the id of the item, and to no id of another item or environment', async () => {
    await using testLedger = await openTestLedger()
    const production = await openWholeLedger(testLedger.database, 'production')
    const fingerprints = [item('fp-1'), item('fp-2')]
    await production.scans.noteSightings([...fingerprints, item('id-1')])
    await testLedger.ledger.scans.noteSightings([...fingerprints, item('fp-3')])
    const before = await testLedger.ledger.scans.firstSightings(['fp-1', 'fp-2'])
    await testLedger.database.query(
      `UPDATE sighting SET first_seen_at = first_seen_at - interval '1 h' WHERE item_key = 'fp-1'`,
    )
    await testLedger.ledger.scans.noteSightings([item('id-1', 'fp-1'), item('id-2', 'fp-2')])
    expect(await keysOf(testLedger)).toEqual(['fp-3', 'id-1', 'id-2'])
    expect(await keysOf(testLedger, 'production')).toEqual(['fp-1', 'fp-2', 'id-1'])
    const after = await testLedger.ledger.scans.firstSightings(['id-1', 'id-2'])
    expect(after.get('id-2')).toEqual(before.get('fp-2'))
    expect((before.get('fp-1')?.getTime() ?? 0) - (after.get('id-1')?.getTime() ?? 0)).toBe(60 * minute)
  })

  test('belongs to the smallest of several ids that appear together', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.ledger.scans.noteSightings([item('fp')])
    await testLedger.database.query(`UPDATE sighting SET first_seen_at = '2026-01-01'`)
    await testLedger.ledger.scans.noteSightings([item('b', 'fp'), item('a', 'fp'), item('c', 'fp')])
    const { rows } = await testLedger.database.query(
      `SELECT item_key AS key FROM sighting WHERE first_seen_at = '2026-01-01'`,
    )
    expect(rows).toEqual([{ key: 'a' }])
  })

  test('is kept if another scan has recorded the id in the meantime', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await testLedger.ledger.scans.noteSightings([item('fp')])
    const stepped = steppedDatabase(database)
    stepped.stops = {
      async before(text) {
        if (text.includes('UPDATE sighting'))
          await database.query(`INSERT INTO sighting (environment, item_key) VALUES ('development', 'id')`)
      },
    }
    await scanStore(stepped, 'development').noteSightings([item('id', 'fp')])
    expect(await keysOf(testLedger)).toEqual(['fp', 'id'])
  })
})
