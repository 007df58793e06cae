// The largest page of the report that a probe finds.

import { expect, test } from 'vitest'
import { tryPages } from '#src/extensions/probe/try-searches.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'

/**
 * Probes a report of `total` items.
 * @param largest the largest page size that the service accepts, or the largest page that it returns
 */
async function probe(total: number, largest: { accepted?: number; returned?: number }) {
  const requested: number[] = []
  const read: Parameters<typeof tryPages>[0] = async ({ recordsPerPage }) => {
    requested.push(recordsPerPage)
    if (recordsPerPage > (largest.accepted ?? Infinity)) throw new ServiceRefusedError(400, 'report', 'too large')
    const size = Math.min(recordsPerPage, largest.returned ?? Infinity, total)
    const page = { items: Array(size).fill({}), filteredRecords: total, recordsPerPage }
    return page as unknown as Awaited<ReturnType<typeof read>>
  }
  return { found: await tryPages(read), requested }
}

test('is the one before the first that the service refuses', async () => {
  expect(await probe(9_999, { accepted: 300 })).toEqual({
    found: { found: { largest: 200, seenBy: 'rows', capped: true } },
    requested: [10, 100, 200, 500],
  })
})

test('is known from the pager alone if the report has fewer rows', async () => {
  expect((await probe(7, { accepted: 300 })).found).toEqual({ found: { largest: 200, seenBy: 'pager', capped: true } })
})

test('is unknown if the smallest page is refused', async () => {
  expect((await probe(7, { accepted: 5 })).found).toEqual({
    undetermined: 'the report was refused when a page size was given',
  })
})

test('is not found if the report fails for another reason', async () => {
  await expect(tryPages(() => Promise.reject(new TypeError('planted')))).rejects.toThrow('planted')
})
