// The newest items of a report that is long, changes while it is read, or is not in the requested order.

import { expect, test } from 'vitest'
import { newestItems } from '#src/issuer/report/newest-items.ts'
import type { ReportPage } from '#src/issuer/report/report-pages.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'

const item = (uuid: string | null, day: string) => ({ entity_uuid: uuid, request_date: `2026-01-${day}` }) as ReportItem

async function* pagesOf(walk: 'complete' | 'cut', ...pages: ReportItem[][]): AsyncGenerator<ReportPage> {
  for (const [at, items] of pages.entries())
    yield {
      items,
      pageNumber: at + 1,
      filteredRecords: 9,
      totalRecords: 99,
      walk: at === pages.length - 1 ? walk : 'more',
    }
}

const names = (items: ReportItem[]) => items.map((item) => item.entity_uuid).join('')
const all = [
  [item('a', '09'), item('b', '08')],
  [item('b', '08'), item('c', '07')],
  [item(null, '07'), item(null, '07')],
]

test('returns every item once, except that items without a uuid may be repeated', async () => {
  const { items, total, complete, inOrder } = await newestItems(pagesOf('complete', ...all), 100)
  expect([names(items), items.length, total, complete, inOrder]).toEqual(['abc', 5, 9, true, true])
})

test.each([
  [1, 'a', false],
  [2, 'ab', false],
  [3, 'abc', false],
  [4, 'abc', false],
  [5, 'abc', true],
])(
  'the newest %i of five items are %j, and it is reported whether the report has more',
  async (maxItems, expected, whole) => {
    const { items, complete } = await newestItems(pagesOf('complete', ...all), maxItems)
    expect([names(items), items.length, complete]).toEqual([expected, maxItems, whole])
  },
)

test('a truncated walk does not count as complete', async () => {
  expect((await newestItems(pagesOf('cut', ...all), 100)).complete).toBe(false)
})

test('requests no more pages than it needs', async () => {
  let pagesRead = 0
  async function* counted() {
    for await (const page of pagesOf('complete', ...all)) {
      pagesRead++
      yield page
    }
  }
  await newestItems(counted(), 2)
  expect(pagesRead).toBe(1)
})

test('sorts items that are not in order, and reports that they were out of order', async () => {
  const { items, inOrder } = await newestItems(
    pagesOf('complete', [item('a', '01'), item('b', '03')], [item('c', '02')]),
    9,
  )
  expect([names(items), inOrder]).toEqual(['bca', false])
})
