// Walks over lists with incorrect pagers: each walk ends, and reports whether it saw the whole list.

import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type FetchedPage, walkPages } from '#src/issuer/walk-pages.ts'

const maxPages = 30

/** Walks over the pages of letters that `page` returns. Returns the items of each page and how the walk ended. */
async function walk(
  page: (pageNumber: number, size: number) => { rows: string; total?: number | null },
  { recordsPerPage = 4, distinct = true } = {},
) {
  const requests: [number, number | null][] = []
  const pages: string[] = []
  const fetch = async (pageNumber: number, wanted: number | null): Promise<FetchedPage<string>> => {
    requests.push([pageNumber, wanted])
    const { rows, total = null } = page(pageNumber, wanted ?? 10)
    return { items: [...rows], filteredRecords: total, totalRecords: total }
  }
  let end = ''
  for await (const page of walkPages({ fetch, identify: (row) => row, recordsPerPage, maxPages, distinct })) {
    pages.push(page.items.join(''))
    end = page.walk
  }
  return { pages, end, requests }
}

const rows = 'abcdefghijklmnopqrstuvwxyz'

describe('a walk over pages', () => {
  test.each([1, 3, 4, 5, 26, 40])(
    'sees everything if pages of 4 are requested and pages of %i are returned',
    async (own) => {
      for (const offsetBy of ['requested', 'own'] as const) {
        const { pages, end } = await walk((pageNumber, size) => {
          const from = (pageNumber - 1) * (offsetBy === 'requested' ? size : own)
          return { rows: rows.slice(from, from + own), total: rows.length }
        })
        expect([pages.join(''), end]).toEqual([rows, 'complete'])
      }
    },
  )

  test('requests no page after the last row that the pager counts', async () => {
    expect((await walk(() => ({ rows: 'abc', total: 3 }))).requests).toEqual([[1, 4]])
  })

  test('ends as cut if an empty page comes before the last row that the pager counts', async () => {
    const { end, requests } = await walk((n) => ({ rows: n === 1 ? 'abcd' : '', total: 9 }))
    expect([end, requests.length]).toEqual(['cut', 2])
  })

  test('ends when a page repeats the previous or an earlier one', async () => {
    for (const distinct of [true, false]) {
      const same = await walk(() => ({ rows: 'abcd', total: 99 }), { distinct })
      expect(same).toMatchObject({ pages: ['abcd', ''], end: 'cut' })
      const alternating = await walk((n) => ({ rows: n % 2 ? 'abcd' : 'efgh', total: 99 }), { distinct })
      expect(alternating).toMatchObject({ pages: ['abcd', 'efgh', ''], end: 'cut' })
    }
  })

  test('goes on with a repeated page only if a whole page of rows was added meanwhile, which moves all others', async () => {
    const walkWith = (pages: readonly string[], totals: readonly (number | null)[]) =>
      walk((n) => ({ rows: pages[n - 1] ?? '', total: totals[n - 1] ?? null }), { distinct: false })
    const moved = await walkWith(['abcd', 'abcd', 'efgh'], [8, 12, 12])
    expect(moved).toMatchObject({ pages: ['abcd', 'abcd', 'efgh'], end: 'complete' })
    for (const totals of [
      [8, 11],
      [null, 8],
      [8, null],
    ])
      expect(await walkWith(['abcd', 'abcd'], totals)).toMatchObject({ pages: ['abcd', ''] })
    // Page 3 begins anew, although only one page was added since page 1.
    expect(await walkWith(['abcd', 'efgh', 'abcd'], [20, 20, 24])).toMatchObject({ pages: ['abcd', 'efgh', ''] })
    expect((await walkWith(['abcd', 'efgh', 'abcd'], [20, 20, 28])).pages).toEqual(['abcd', 'efgh', 'abcd', ''])
  })

  test('ends when a page has known rows in another order', async () => {
    expect(await walk((n) => ({ rows: n % 2 ? 'abcd' : 'dcba', total: 99 }))).toMatchObject({
      pages: ['abcd', ''],
      end: 'cut',
    })
  })

  test('ends at the maximum number of pages if totals grow with every page', async () => {
    const { end, requests } = await walk((n) => ({ rows: String.fromCodePoint(0x4e00 + n), total: n + 100 }))
    expect([end, requests.length]).toEqual(['cut', maxPages])
  })

  test('returns overlapping rows once, and counts them once', async () => {
    const { pages, end } = await walk((n) => ({ rows: rows.slice((n - 1) * 2, (n - 1) * 2 + 4), total: 8 }))
    expect([pages.join(''), end]).toEqual(['abcdefgh', 'complete'])
  })

  test('keeps duplicates within one page', async () => {
    expect(await walk(() => ({ rows: 'aab', total: 3 }))).toMatchObject({ pages: ['aab'], end: 'complete' })
  })

  test('treats a repeated list without a pager as complete, unless it is exactly one page long', async () => {
    expect((await walk(() => ({ rows: 'abc' }))).end).toBe('complete')
    expect((await walk(() => ({ rows: 'abcd' }))).end).toBe('cut')
    expect((await walk(() => ({ rows: 'abcdefghij' }))).end).toBe('cut')
    expect((await walk(() => ({ rows: 'abc' }), { distinct: false })).end).toBe('cut')
  })
})

/** A list of `total` rows, one a page. Pages are answered when the test says so. */
function openPages(total: number) {
  const requested: number[] = []
  const answers = new Map<number, (fault?: Error) => void>()
  const walk = walkPages({
    fetch: (pageNumber) =>
      new Promise<FetchedPage<string>>((resolve, reject) => {
        requested.push(pageNumber)
        const page = { items: [`row ${pageNumber}`], filteredRecords: total, totalRecords: total }
        answers.set(pageNumber, (fault) => (fault ? reject(fault) : resolve(page)))
      }),
    identify: (row) => row,
    recordsPerPage: 1,
    maxPages: 100,
    readsAhead: true,
  })
  /** Takes the next page, which is answered now. */
  const next = async (pageNumber: number) => {
    const page = walk.next()
    await setImmediate()
    answers.get(pageNumber)?.()
    return page
  }
  return { walk, requested, answers, next }
}

describe('a walk that reads ahead', () => {
  test('requests the next page from the fourth page on, one at a time and none after the last row', async () => {
    const { requested, next } = openPages(7)
    const last: (number | undefined)[] = []
    for (let pageNumber = 1; pageNumber <= 7; pageNumber++) {
      expect((await next(pageNumber)).value).toMatchObject({ items: [`row ${pageNumber}`] })
      last.push(requested.at(-1))
    }
    expect(last).toEqual([1, 2, 3, 5, 6, 7, 7])
    expect(requested).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('reports the fault of a page when its turn comes', async () => {
    const { walk, answers, next } = openPages(7)
    for (let pageNumber = 1; pageNumber <= 4; pageNumber++) await next(pageNumber)
    answers.get(5)?.(new Error('page 5'))
    await expect(walk.next()).rejects.toThrow('page 5')
  })

  test('does not wait for a page that nobody takes any more', async () => {
    const { walk, answers, next } = openPages(7)
    for (let pageNumber = 1; pageNumber <= 4; pageNumber++) await next(pageNumber)
    expect(await walk.return()).toEqual({ done: true, value: undefined })
    answers.get(5)?.(new Error('too late'))
    await setImmediate()
  })
})
