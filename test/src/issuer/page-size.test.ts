// Services that refuse large pages: the size is halved until the service accepts it, and the accepted size is
// remembered.

import { describe, expect, test } from 'vitest'
import { envelope, json, type Script } from '#test/support/scripted-server.ts'
import { type Bench, openBench } from './client-bench.ts'

const report = '/certificate/student/report'
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']

/**
 * Refuses every size above `maxSize`, or any explicit size if that is 0; otherwise returns the requested number or the
 * documented ten.
 */
function serviceWithMaxSize(
  maxSize: number,
  status = 400,
  rows: object[] = letters.map((entity_uuid) => ({ entity_uuid })),
): Script {
  return (seen, ...rest) => {
    const { pageNumber, recordsPerPage } = JSON.parse(seen.body)
    if (recordsPerPage !== undefined && recordsPerPage > maxSize)
      return json(status, { status, message: `recordsPerPage must be at most ${maxSize}`, payload: {} })(seen, ...rest)
    const size = recordsPerPage ?? 10
    const data = rows.slice((pageNumber - 1) * size, pageNumber * size)
    return envelope({ data }, { filteredRecords: rows.length, totalRecords: rows.length })(seen, ...rest)
  }
}

async function readAll({ issuer }: Bench, recordsPerPage = 500) {
  let read = ''
  let end = ''
  for await (const page of issuer.reportPages({ recordsPerPage })) {
    read += page.items.map((item) => item.entity_uuid).join('')
    end = page.walk
  }
  return [read, end]
}

const sizes = ({ server }: Bench, part = report) =>
  server.requests(part).map(({ body }) => JSON.parse(body).recordsPerPage)

const wholeReport = [letters.join(''), 'complete']

describe('a page size that is refused', () => {
  test.each([400, 413, 422])('(with %i) is halved until it is accepted', async (status) => {
    await using bench = await openBench()
    bench.server.on(report, serviceWithMaxSize(20, status))
    expect(await readAll(bench)).toEqual(wholeReport)
    expect(sizes(bench)).toEqual([500, 250, 125, 62, 31, 15, 15, 15, 15])
  })

  test('is not requested again for a day, by any read of that endpoint', async () => {
    await using bench = await openBench()
    bench.server.on(report, serviceWithMaxSize(20))
    await readAll(bench)
    const before = sizes(bench).length
    expect(await readAll(bench)).toEqual(wholeReport)
    await bench.issuer.reportPage({ search: {}, recordsPerPage: 50 })
    expect(new Set(sizes(bench).slice(before))).toEqual(new Set([15]))
    bench.server.on(report, serviceWithMaxSize(1_000))
    bench.advanceClock(24 * 3_600_000)
    await readAll(bench)
    expect(sizes(bench).at(-1)).toBe(500)
  })

  test('is reduced to the documented ten, and then omitted', async () => {
    await using bench = await openBench()
    bench.server.on(report, serviceWithMaxSize(0))
    expect(await readAll(bench, 40)).toEqual(wholeReport)
    const none = undefined
    expect(sizes(bench)).toEqual([40, 20, 10, none, none, none, none, none, none])
  })

  test('is reported with the service’s message if every size is refused', async () => {
    await using bench = await openBench()
    bench.server.on(report, json(400, { status: 400, message: 'sortBy is not known here', payload: {} }))
    await expect(readAll(bench)).rejects.toThrow('sortBy is not known here')
    expect(sizes(bench)).toEqual([500, 250, 125, 62, 31, 15, 10, undefined])
  })

  test('is not reduced if the endpoint has just accepted it, because the refusal then has another reason', async () => {
    await using bench = await openBench()
    bench.server.on(report, serviceWithMaxSize(1_000), json(400, { status: 400, message: 'no', payload: {} }))
    await readAll(bench)
    await expect(readAll(bench)).rejects.toThrow('"no"')
    expect(sizes(bench)).toEqual([500, 500])
  })

  test('is reduced five minutes after the endpoint accepted it, because a service may lower its limit', async () => {
    await using bench = await openBench()
    bench.server.on(report, serviceWithMaxSize(1_000))
    await readAll(bench)
    bench.server.on(report, serviceWithMaxSize(20))
    await expect(readAll(bench)).rejects.toThrow('must be at most 20')
    bench.advanceClock(5 * 60_000)
    expect(await readAll(bench)).toEqual(wholeReport)
    expect(sizes(bench).slice(1)).toEqual([500, 500, 250, 125, 62, 31, 15, 15, 15, 15])
  })
})
