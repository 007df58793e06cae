// The newest items of a report that is long, that moves while it is read, or that is in another order than was asked for.

import { expect, test } from 'vitest'
import { newestItems } from '#src/issuer/newest-items.ts'
import type { ReportPage } from '#src/issuer/report.ts'
import type { ReportItem } from '#src/issuer/wire.ts'

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

const names = (items: ReportItem[]) => items.map((each) => each.entity_uuid).join('')
const all = [
  [item('a', '09'), item('b', '08')],
  [item('b', '08'), item('c', '07')],
  [item(null, '07'), item(null, '07')],
]

test('takes every item once, and those without a uuid as they come', async () => {
  const { items, found, complete, inOrder } = await newestItems(pagesOf('complete', ...all), 100)
  expect([names(items), items.length, found, complete, inOrder]).toEqual(['abc', 5, 9, true, true])
})

test.each([
  [1, 'a', false],
  [2, 'ab', false],
  [3, 'abc', false],
  [4, 'abc', false],
  [5, 'abc', true],
])('of five items %i are %j, and whether that is all is told', async (most, expected, whole) => {
  const { items, complete } = await newestItems(pagesOf('complete', ...all), most)
  expect([names(items), items.length, complete]).toEqual([expected, most, whole])
})

test('a walk that was cut is not complete', async () => {
  expect((await newestItems(pagesOf('cut', ...all), 100)).complete).toBe(false)
})

test('asks for no page more than it needs', async () => {
  let asked = 0
  async function* counted() {
    for await (const page of pagesOf('complete', ...all)) {
      asked++
      yield page
    }
  }
  await newestItems(counted(), 2)
  expect(asked).toBe(1)
})

test('puts another order right, and says that it was another', async () => {
  const { items, inOrder } = await newestItems(
    pagesOf('complete', [item('a', '01'), item('b', '03')], [item('c', '02')]),
    9,
  )
  expect([names(items), inOrder]).toEqual(['bca', false])
})
