// Walks over pagers that lie: every one ends, and says whether it saw the whole list.

import { describe, expect, test } from 'vitest'
import { type FetchedPage, walkPages } from '#src/issuer/walk-pages.ts'

const most = 30

/** Walks `page` as pages of letters; gives what came and how it ended. */
async function walk(
  page: (pageNumber: number, size: number) => { rows: string; says?: number | null },
  { recordsPerPage = 4, distinct = true } = {},
) {
  const asked: [number, number][] = []
  const pages: string[] = []
  const fetch = async (pageNumber: number, size: number): Promise<FetchedPage<string>> => {
    asked.push([pageNumber, size])
    const { rows, says = null } = page(pageNumber, size)
    return { items: [...rows], filteredRecords: says, totalRecords: says }
  }
  let end = ''
  for await (const each of walkPages({ fetch, identify: (row) => row, recordsPerPage, maxPages: most, distinct })) {
    pages.push(each.items.join(''))
    end = each.walk
  }
  return { pages, end, asked }
}

const rows = 'abcdefghijklmnopqrstuvwxyz'

describe('a walk over pages', () => {
  test.each([1, 3, 4, 5, 26, 40])('sees all when pages of 4 are asked for and %i come', async (own) => {
    for (const offsetBy of ['asked', 'own'] as const) {
      const { pages, end } = await walk((pageNumber, size) => {
        const from = (pageNumber - 1) * (offsetBy === 'asked' ? size : own)
        return { rows: rows.slice(from, from + own), says: rows.length }
      })
      expect([pages.join(''), end]).toEqual([rows, 'complete'])
    }
  })

  test('asks for no page after the last promised row', async () => {
    expect((await walk(() => ({ rows: 'abc', says: 3 }))).asked).toEqual([[1, 4]])
  })

  test('ends at an empty page before the promised end, and says so', async () => {
    const { end, asked } = await walk((n) => ({ rows: n === 1 ? 'abcd' : '', says: 9 }))
    expect([end, asked.length]).toEqual(['cut', 2])
  })

  test('ends when a page comes again, be it the one before or an earlier one', async () => {
    for (const distinct of [true, false]) {
      const same = await walk(() => ({ rows: 'abcd', says: 99 }), { distinct })
      expect(same).toMatchObject({ pages: ['abcd', ''], end: 'cut' })
      const inTurns = await walk((n) => ({ rows: n % 2 ? 'abcd' : 'efgh', says: 99 }), { distinct })
      expect(inTurns).toMatchObject({ pages: ['abcd', 'efgh', ''], end: 'cut' })
    }
  })

  test('ends when a page brings old rows in another order', async () => {
    expect(await walk((n) => ({ rows: n % 2 ? 'abcd' : 'dcba', says: 99 }))).toMatchObject({
      pages: ['abcd', ''],
      end: 'cut',
    })
  })

  test('ends under totals that grow with every page, after the most pages allowed', async () => {
    const { end, asked } = await walk((n) => ({ rows: String.fromCodePoint(0x4e00 + n), says: n + 100 }))
    expect([end, asked.length]).toEqual(['cut', most])
  })

  test('gives rows that overlap once, and counts them once', async () => {
    const { pages, end } = await walk((n) => ({ rows: rows.slice((n - 1) * 2, (n - 1) * 2 + 4), says: 8 }))
    expect([pages.join(''), end]).toEqual(['abcdefgh', 'complete'])
  })

  test('keeps what one page shows twice', async () => {
    expect(await walk(() => ({ rows: 'aab', says: 3 }))).toMatchObject({ pages: ['aab'], end: 'complete' })
  })

  test('takes a list without a pager that comes again for a whole one, unless it has just the length of a page', async () => {
    expect((await walk(() => ({ rows: 'abc' }))).end).toBe('complete')
    expect((await walk(() => ({ rows: 'abcd' }))).end).toBe('cut')
    expect((await walk(() => ({ rows: 'abcdefghij' }))).end).toBe('cut')
    expect((await walk(() => ({ rows: 'abc' }), { distinct: false })).end).toBe('cut')
  })
})
