// When a scan of the report counts as complete, and what it writes to the ledger. Needs a database.

import { expect, test } from 'vitest'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { type ReportSource, scanReport } from '#src/issuing/reconcile/scan-report.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { steppedClock } from '#test/support/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aPolicy, aRecipient, aReportItem } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

type Page = ReturnType<ReportSource['reportPages']> extends AsyncIterable<infer Each> ? Each : never

const since = '2026-03-01'
const itemOn = (n: number, request_date: string | null) => aReportItem(aRecipient(n), { request_date })

function pageOf(items: ItemAsShown[], walk: Page['walk'] = 'more', filteredRecords: number | null = 10): Page {
  return { items, walk, filteredRecords }
}

/** Reads these pages. Returns whether the scan was complete, how many pages it requested, and its query. */
async function read({ ledger }: TestLedger, pages: (Page | Error)[]) {
  let requested = 0
  let search: unknown
  const issuer: ReportSource = {
    async *reportPages(query) {
      search = query
      for (const page of pages) {
        requested++
        if (page instanceof Error) throw page
        yield page
      }
    },
  }
  const tools = { ledger, issuer, log: silentLog, clock: steppedClock(), pageSize: 50, policy: aPolicy() }
  const { complete } = await scanReport(tools, since)
  return { complete, requested, search }
}

describeWithDatabase('a scan of the report', () => {
  test('requests every status and the latest items first, because the defaults are not documented', async () => {
    await using ledger = await openTestLedger()
    expect(await read(ledger, [pageOf([], 'complete', 0)])).toMatchObject({
      complete: true,
      search: {
        search: { issued_status_id: [1, 2, 3, 4, 5, 6, 7, 8] },
        sortBy: 'request_date',
        sortOrder: 'desc',
        recordsPerPage: 50,
        // At most this many pages: a day with a million credentials has two thousand.
        maxPages: 1_000_000,
        readsAhead: true,
      },
    })
  })

  const recent = [itemOn(1, '2026-03-03'), itemOn(2, '2026-03-02')]
  const old = [itemOn(3, '2026-02-27'), itemOn(4, '2026-02-26')]

  test.each<[string, Page[], boolean, number]>([
    ['ends at the first page with only earlier days', [pageOf(recent), pageOf(old), pageOf([])], true, 2],
    ['continues while a page has the day', [pageOf(recent), pageOf([itemOn(5, since), ...old]), pageOf([])], false, 3],
    ['does not end early if the list is not sorted', [pageOf([...recent].reverse()), pageOf(old)], false, 2],
    ['does not end early if a date is missing', [pageOf([itemOn(1, null)]), pageOf(old)], false, 2],
    ['does not end at an empty page', [pageOf(recent), pageOf([], 'cut')], false, 2],
    ['is complete if all counted items were received', [pageOf(recent, 'complete', 2)], true, 1],
    ['is not complete if it was cut', [pageOf(recent, 'cut', 2)], false, 1],
    [
      'is not complete if moving items hid others',
      [pageOf(recent, 'more', 4), pageOf(recent, 'complete', 4)],
      false,
      2,
    ],
    [
      'uses the first total, because items that are added later need not be seen',
      [pageOf(recent, 'more', 4), pageOf([itemOn(5, since), ...old], 'complete', 9)],
      true,
      2,
    ],
    ['is complete without a total if the last page was read', [pageOf(recent, 'complete', null)], true, 1],
    ['is not complete without any page', [], false, 0],
  ])('%s', async (_, pages, complete, requested) => {
    await using ledger = await openTestLedger()
    expect(await read(ledger, pages)).toMatchObject({ complete, requested })
    expect(await ledger.queryOne('SELECT complete, pages FROM scan')).toEqual({ complete, pages: requested })
  })

  test('that fails is recorded as incomplete, without the error message', async () => {
    await using ledger = await openTestLedger()
    const fault = new TypeError('person.1@example.org')
    await expect(read(ledger, [pageOf(recent), fault])).rejects.toBe(fault)
    expect(await ledger.queryOne('SELECT complete, problem, ended_at IS NOT NULL AS ended FROM scan')).toEqual({
      complete: false,
      problem: 'TypeError',
      ended: true,
    })
  })

  test('records once when each item was first seen, and no personal data', async () => {
    await using ledger = await openTestLedger()
    await read(ledger, [pageOf(recent, 'complete', 2)])
    const seen = () => ledger.database.query('SELECT * FROM sighting ORDER BY item_key')
    const first = (await seen()).rows
    await read(ledger, [pageOf(recent, 'complete', 2)])
    expect((await seen()).rows).toEqual(first)
    expect(first).toHaveLength(2)
    const fingerprints = recent.map((item) => ({ ...item, entity_uuid: null }))
    await read(ledger, [pageOf(fingerprints, 'complete', 2)])
    const keys = (await ledger.database.query<{ item_key: string }>('SELECT item_key FROM sighting')).rows
    expect(keys.filter(({ item_key }) => /^fp-[0-9a-f]{40}$/.test(item_key))).toHaveLength(2)
  })
})

describeWithDatabase('a baseline', () => {
  test('is fresh if a complete scan is recent and reaches back far enough', async () => {
    await using ledger = await openTestLedger()
    const fresh = () => ledger.ledger.scans.baselineIsFresh(300_000)
    expect(await fresh()).toBe(false)
    const startedAt = await ledger.queryOne<{ now: Date }>('SELECT clock_timestamp() AS now')
    const baselineStart = await ledger.ledger.scans.baselineSince()
    const tooLate = await ledger.queryOne<{ day: string }>('SELECT $1::date + 1 AS day', [baselineStart])
    await ledger.scan([], tooLate.day)
    expect(await fresh()).toBe(false)
    await ledger.scan([], baselineStart)
    expect(await fresh()).toBe(true)
    expect(await ledger.ledger.scans.completeSince(startedAt.now)).toBe(true)
    await ledger.timePasses(301_000)
    expect(await fresh()).toBe(false)
    expect(await ledger.ledger.scans.completeSince(startedAt.now)).toBe(false)
  })
})
