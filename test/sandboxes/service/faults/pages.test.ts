// Tests the faults in the report's order, pages and search.

import { describe, expect, test } from 'vitest'
import type { Faults } from '#sandboxes/service/faults/faults.ts'
import { type CoreVisitor, people, visitCore } from '#test/sandboxes/service/core-visitor.ts'

const day = 86_400_000

async function visitWith(count: number, faults: Faults): Promise<CoreVisitor> {
  const visitor = await visitCore({ faults })
  await visitor.invite(...people(count))
  return visitor
}

const emails = (rows: { email_: string }[]) => rows.map(({ email_ }) => email_)

describe('moving rows', () => {
  test('are in another order on every call, so that a walk misses some and sees some twice', async () => {
    const { rows } = await visitWith(60, { movingRows: { share: 1 } })
    const whole = [emails(await rows()), emails(await rows())]
    expect(whole[0]).not.toEqual(whole[1])
    expect(whole.map((each) => each.toSorted())).toEqual([people(60).toSorted(), people(60).toSorted()])
    const walked: string[] = []
    for (const pageNumber of [1, 2, 3]) walked.push(...emails(await rows({}, { pageNumber, recordsPerPage: 20 })))
    expect(walked).toHaveLength(60)
    expect(new Set(walked).size).toBeLessThan(60)
  })

  test('move only among equal dates', async () => {
    const { rows, invite, clock } = await visitWith(20, { movingRows: { share: 1 } })
    await clock.advance(day)
    await invite(...people(20, 'late'))
    const dates = (await rows()).map(({ request_date }) => request_date)
    expect(dates).toEqual([...Array(20).fill('2026-03-01'), ...Array(20).fill('2026-03-02')])
    const byEmail = emails(await rows({}, { sortBy: 'email_' }))
    expect(byEmail).toEqual(byEmail.toSorted())
  })
})

describe('capped pages', () => {
  test.each(['requested', 'actual'] as const)(
    'have fewer records than requested, and the pager shows the %s',
    async (pager) => {
      const { page } = await visitWith(8, { cappedPages: { records: 3, pager } })
      const walked: string[] = []
      for (const pageNumber of [1, 2, 3]) {
        const { payload, pager: shown } = await page({ pageNumber, recordsPerPage: 5, sortOrder: 'asc' })
        expect(payload.data).toHaveLength([0, 3, 3, 2][pageNumber] ?? -1)
        expect(shown).toMatchObject({
          recordsPerPage: pager === 'requested' ? 5 : 3,
          filteredRecords: 8,
          totalRecords: 8,
        })
        walked.push(...emails(payload.data))
      }
      expect(walked).toEqual(people(8))
    },
  )
})

describe('an unsupported search', () => {
  test.each([
    ['none', 4, 4],
    ['search', 1, 4],
    ['_search', 4, 1],
    [undefined, 1, 1],
  ] as const)(
    'if %s is supported, search finds %i and _search finds %i',
    async (acceptedSearch, bySearch, byUnderscore) => {
      const { page } = await visitWith(4, { acceptedSearch })
      const wanted = JSON.stringify({ email_: 'p1@example.org' })
      const both = [await page({ search: wanted }), await page({ _search: wanted })]
      expect(both.map(({ payload }) => payload.data.length)).toEqual([bySearch, byUnderscore])
      expect(both.map(({ pager }) => pager.filteredRecords)).toEqual([bySearch, byUnderscore])
    },
  )
})

describe('a list that refuses large pages', () => {
  test('answers 400 above the maximum, and returns ten without a number', async () => {
    const { page } = await visitWith(30, { maxRecordsPerPage: 20 })
    expect(await page({ recordsPerPage: 21 })).toMatchObject({ status: 400 })
    expect((await page({ recordsPerPage: 20 })).payload.data).toHaveLength(20)
    const none = await visitWith(30, { maxRecordsPerPage: 0 })
    expect(await none.page({ recordsPerPage: 1 })).toMatchObject({ status: 400 })
    expect((await none.page({})).payload.data).toHaveLength(10)
  })
})
