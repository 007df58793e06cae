// When a reading of the report counts as complete, and what it leaves in the ledger.

import { expect, test } from 'vitest'
import { silentLog } from '#src/log/log.ts'
import type { ReportItemShown } from '#src/reconcile/read-item.ts'
import { type ReportSource, scanReport } from '#src/reconcile/scan-report.ts'
import { aPolicy, aRecipient, aReportItem } from '#test/support/build.ts'
import { steppedClock } from '#test/support/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

type Page = ReturnType<ReportSource['reportPages']> extends AsyncIterable<infer Each> ? Each : never

const since = '2026-03-01'
const on = (n: number, request_date: string | null) => aReportItem(aRecipient(n), { request_date })

function pageOf(items: ReportItemShown[], walk: Page['walk'] = 'more', filteredRecords: number | null = 10): Page {
  return { items, walk, filteredRecords }
}

/** Reads these pages. Gives whether the reading was complete, and how many pages it asked for. */
async function read({ ledger }: TestLedger, pages: (Page | Error)[]) {
  let asked = 0
  let search: unknown
  const issuer: ReportSource = {
    async *reportPages(query) {
      search = query
      for (const page of pages) {
        asked++
        if (page instanceof Error) throw page
        yield page
      }
    },
  }
  const tools = { ledger, issuer, log: silentLog, clock: steppedClock(), pageSize: 50, policy: aPolicy() }
  const { complete } = await scanReport(tools, since)
  return { complete, asked, search }
}

describeWithDatabase('a reading of the report', () => {
  test('names every status and asks for the latest first: what is shown by default is not documented', async () => {
    await using ledger = await openTestLedger()
    expect(await read(ledger, [pageOf([], 'complete', 0)])).toMatchObject({
      complete: true,
      search: {
        search: { issued_status_id: [1, 2, 3, 4, 5, 6, 7, 8] },
        sortBy: 'request_date',
        sortOrder: 'desc',
        recordsPerPage: 50,
      },
    })
  })

  const young = [on(1, '2026-03-03'), on(2, '2026-03-02')]
  const old = [on(3, '2026-02-27'), on(4, '2026-02-26')]

  test.each<[string, Page[], boolean, number]>([
    [
      'ends with the first page wholly before the day that is asked for',
      [pageOf(young), pageOf(old), pageOf([])],
      true,
      2,
    ],
    ['goes on while a page reaches the day', [pageOf(young), pageOf([on(5, since), ...old]), pageOf([])], false, 3],
    ['does not end early in a list that is not sorted', [pageOf([...young].reverse()), pageOf(old)], false, 2],
    ['does not end early when a date is missing', [pageOf([on(1, null)]), pageOf(old)], false, 2],
    ['does not end with an empty page', [pageOf(young), pageOf([], 'cut')], false, 2],
    ['is complete when all that was promised has come', [pageOf(young, 'complete', 2)], true, 1],
    ['is not complete when it was cut', [pageOf(young, 'cut', 2)], false, 1],
    [
      'is not complete when rows that moved hid others',
      [pageOf(young, 'more', 4), pageOf(young, 'complete', 4)],
      false,
      2,
    ],
    [
      'takes the first promise: what is new in between need not be seen',
      [pageOf(young, 'more', 4), pageOf([on(5, since), ...old], 'complete', 9)],
      true,
      2,
    ],
    ['is complete without a promise when the walk says so', [pageOf(young, 'complete', null)], true, 1],
    ['is not complete without any page', [], false, 0],
  ])('%s', async (_, pages, complete, asked) => {
    await using ledger = await openTestLedger()
    expect(await read(ledger, pages)).toMatchObject({ complete, asked })
    expect(await ledger.one('SELECT complete, pages FROM scan')).toEqual({ complete, pages: asked })
  })

  test('that fails is on record as incomplete, without the words of the fault', async () => {
    await using ledger = await openTestLedger()
    const fault = new TypeError('person.1@example.org')
    await expect(read(ledger, [pageOf(young), fault])).rejects.toBe(fault)
    expect(await ledger.one('SELECT complete, problem, ended_at IS NOT NULL AS ended FROM scan')).toEqual({
      complete: false,
      problem: 'TypeError',
      ended: true,
    })
  })

  test('notes when each item was first seen, once, and nothing of the person', async () => {
    await using ledger = await openTestLedger()
    await read(ledger, [pageOf(young, 'complete', 2)])
    const seen = () => ledger.database.query('SELECT * FROM sighting ORDER BY item_key')
    const first = (await seen()).rows
    await read(ledger, [pageOf(young, 'complete', 2)])
    expect((await seen()).rows).toEqual(first)
    expect(first).toHaveLength(2)
    const fingerprints = young.map((item) => ({ ...item, entity_uuid: null }))
    await read(ledger, [pageOf(fingerprints, 'complete', 2)])
    const keys = (await ledger.database.query<{ item_key: string }>('SELECT item_key FROM sighting')).rows
    expect(keys.filter(({ item_key }) => /^fp-[0-9a-f]{40}$/.test(item_key))).toHaveLength(2)
  })
})

describeWithDatabase('a baseline', () => {
  test('is fresh when a complete reading is young and reaches back far enough', async () => {
    await using ledger = await openTestLedger()
    const fresh = () => ledger.ledger.baselineIsFresh(300_000)
    expect(await fresh()).toBe(false)
    const begun = await ledger.one<{ now: Date }>('SELECT clock_timestamp() AS now')
    const reach = await ledger.ledger.baselineSince()
    const short = await ledger.one<{ day: string }>('SELECT $1::date + 1 AS day', [reach])
    await ledger.scan([], short.day)
    expect(await fresh()).toBe(false)
    await ledger.scan([], reach)
    expect(await fresh()).toBe(true)
    expect(await ledger.ledger.completeScanSince(begun.now)).toBe(true)
    await ledger.timePasses(301_000)
    expect(await fresh()).toBe(false)
    expect(await ledger.ledger.completeScanSince(begun.now)).toBe(false)
  })
})
