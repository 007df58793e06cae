// Walks over lists with incorrect pagers: each walk ends, and reports whether it saw the whole list.

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
