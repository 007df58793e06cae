// Reading the report page by page, with short, empty and repeated pages.

import { describe, expect, test } from 'vitest'
import type { ReportQuery } from '#src/issuer/report/report-pages.ts'
import { envelope, type Script } from '#test/support/scripted-server.ts'
import { until } from '#test/support/until.ts'
import { type Bench, openBench } from '../client-bench.ts'

const path = '/certificate/student/report'
let serial = 0
const item = (entity_uuid: string) => ({ entity_uuid, certificate_path: `link ${++serial}`, reg_no: 7 })
const pager = (filteredRecords: number | string) => ({ filteredRecords, totalRecords: 99, sortField: 'name' })

/** Reads the report and returns each page as [uuids, walk]. */
async function walk(bench: Bench, query: ReportQuery = {}) {
  const pages: [string, string][] = []
  for await (const page of bench.issuer.reportPages(query)) {
    pages.push([page.items.map((item) => item.entity_uuid).join(''), page.walk])
    if (pages.length > 20) throw new Error('the walk does not end')
  }
  return pages
}

/** Answers from `rows` in pages of at most `maxSize`, with offsets counted by the requested size or by its own size. */
function service(rows: string, maxSize: number, offsetBy: 'requested' | 'own'): Script {
  return (seen, ...rest) => {
    const { pageNumber, recordsPerPage } = JSON.parse(seen.body)
    const size = Math.min(maxSize, recordsPerPage)
    const from = (pageNumber - 1) * (offsetBy === 'requested' ? recordsPerPage : size)
    const data = [...rows.slice(from, from + size)].map(item)
    envelope({ data }, pager(rows.length))(seen, ...rest)
  }
}

describe('reportPages', () => {
  test('sends the search in both spellings, and the sort order', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope({ data: [item('a')] }, pager('1')))
    const search = { email_: 'jo@x.example', date_range: { start: '2026-01-01', end: '2026-01-03' } }
    const pages = []
    for await (const page of bench.issuer.reportPages({ search, sortBy: 'request_date', sortOrder: 'asc' }))
      pages.push(page)
    const asked = JSON.parse(bench.server.requests(path)[0]?.body ?? '')
    const text = JSON.stringify(search)
    expect(asked).toEqual({
      pageNumber: 1,
      recordsPerPage: 100,
      search: text,
      _search: text,
      sortBy: 'request_date',
      sortOrder: 'asc',
    })
    expect(pages).toMatchObject([{ pageNumber: 1, filteredRecords: 1, totalRecords: 99, walk: 'complete' }])
    expect(pages[0]?.items[0]).toMatchObject({ entity_uuid: 'a', reg_no: '7', email_: null })
  })

  test.each(['requested', 'own'] as const)(
    'reads everything if pages are shorter than requested and offsets are counted by the %s size',
    async (by) => {
      await using bench = await openBench()
      bench.server.on(path, service('abcdefgh', 3, by))
      expect(await walk(bench)).toEqual([
        ['abc', 'more'],
        ['def', 'more'],
        ['gh', 'complete'],
      ])
    },
  )

  test.each([
    [false, 5],
    [true, 6],
  ])('reads the next page while one is processed only if that is wanted (%s)', async (readsAhead, requests) => {
    await using bench = await openBench()
    bench.server.on(path, service('abcdefghijklmnop', 2, 'own'))
    const pages = bench.issuer.reportPages({ recordsPerPage: 2, readsAhead })[Symbol.asyncIterator]()
    for (let pageNumber = 1; pageNumber <= 5; pageNumber++) await pages.next()
    await until('the request ahead', () => bench.server.requests(path).length >= requests)
    await pages.return?.()
    expect(bench.server.requests(path)).toHaveLength(requests)
  })

  test('ends as cut at a repeated page, although its links differ', async () => {
    await using bench = await openBench()
    const same: Script = (...args) => envelope({ data: ['a', 'b'].map(item) }, pager(50))(...args)
    bench.server.on(path, same)
    expect(await walk(bench, { recordsPerPage: 2 })).toEqual([
      ['ab', 'more'],
      ['', 'cut'],
    ])
  })

  test('treats an answer without a list as complete only if the pager counts no items', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope({}, pager(0)), envelope({}, {}))
    expect(await walk(bench)).toEqual([['', 'complete']])
    await expect(walk(bench)).rejects.toThrow(/report could not be read at payload.data/)
  })

  test('reports an unreadable row by its path', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope({ data: [item('a'), { email_: ['jo@x.example'] }] }))
    await expect(walk(bench)).rejects.toThrow(/payload\.data\[1\]\.email_/)
    await expect(walk(bench)).rejects.not.toThrow(/jo@x/)
  })
})
