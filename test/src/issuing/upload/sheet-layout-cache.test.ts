// Looking up a course's upload sheet from its sample: caching, samples with images, and the fallback to the field list.

import { describe, expect, test } from 'vitest'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { openSheetLayoutCache, type SampleSource } from '#src/issuing/upload/sheet-layout-cache.ts'
import { buildZip } from '#test/support/build-zip.ts'
import { steppedClock } from '#test/support/clock.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const workbook = (...titles: string[]) => writeWorkbook({ rows: inlineRow(...titles) + inlineRow('example') })

interface TestCache {
  cache: ReturnType<typeof openSheetLayoutCache>
  requests: string[]
  clock: ReturnType<typeof steppedClock>
}

/** A cache of a service with these responses. Errors are thrown. */
function cacheOver(
  sheet: Buffer | Error,
  data: Buffer | Error = new ServiceRefusedError(404, 'sample-data', ''),
): TestCache {
  const requests: string[] = []
  const answer = (name: string, given: Buffer | Error) => async () => {
    requests.push(name)
    if (given instanceof Error) throw given
    return { bytes: given }
  }
  const source: SampleSource = {
    sampleSheet: answer('sheet', sheet),
    sampleData: answer('data', data),
    fieldList: async () => [{ displayName: 'Email' }, { displayName: 'Other' }],
    courseDetail: async () => ({ course_number: 'WELD-1' }),
  }
  const clock = steppedClock()
  return { cache: openSheetLayoutCache(source, clock), requests, clock }
}

describe('the sheet of a course', () => {
  test('has exactly the header of its sample sheet, without empty columns at the end', async () => {
    const { cache } = cacheOver(workbook('Email *', ' First Name ', '', 'Other', '', ''))
    expect(await cache.sheetOf('c', null)).toEqual({
      columns: ['Email *', 'First Name', '', 'Other'],
      courseNumber: null,
      notice: null,
    })
  })

  test('is requested once, even by concurrent calls, and again after an hour', async () => {
    const { cache, requests, clock } = cacheOver(workbook('Email'))
    await Promise.all([cache.sheetOf('c', null), cache.sheetOf('c', null)])
    await cache.sheetOf('c', null)
    expect(requests).toEqual(['sheet'])
    await clock.advance(61 * 60_000)
    await cache.sheetOf('c', null)
    expect(requests).toEqual(['sheet', 'sheet'])
  })

  test('has the course number if it has a column for it', async () => {
    const { cache } = cacheOver(workbook('Course number', 'Email'))
    expect(await cache.sheetOf('c', null)).toMatchObject({ courseNumber: 'WELD-1' })
  })

  test('comes from the sample with images if images are sent and the plain sample has no column for them', async () => {
    const data = buildZip([
      { name: 'sample/list.xlsx', content: workbook('Email', 'Photo') },
      { name: '__MACOSX/sample/._list.xlsx', content: 'x' },
      { name: 'sample/1.png', content: 'x' },
    ])
    const { cache, requests } = cacheOver(workbook('Email'), data)
    expect(await cache.sheetOf('c', {})).toMatchObject({ columns: ['Email', 'Photo'] })
    expect(await cache.sheetOf('c', null)).toMatchObject({ columns: ['Email'] })
    expect(requests).toEqual(['sheet', 'data'])
    const { cache: other, requests: otherRequests } = cacheOver(workbook('Email', 'Portrait'), data)
    expect(await other.sheetOf('c', { column: 'portrait' })).toMatchObject({ columns: ['Email', 'Portrait'] })
    expect(otherRequests).toEqual(['sheet'])
  })

  test.each([
    ['is refused', new ServiceRefusedError(404, 'sample-sheet', 'no'), 'the service refused it, HTTP 404'],
    ['is an envelope', Buffer.from('{"status":200,"payload":"https://x.example/s.xlsx"}'), 'neither a workbook'],
    ['is damaged', workbook('Email').subarray(0, 300), 'damaged'],
    ['is empty', writeWorkbook({ rows: '' }), 'no filled row'],
  ])('comes from the field list, with a notice, if the sample %s', async (_what, sheet, why) => {
    const { cache, requests, clock } = cacheOver(sheet)
    const found = await cache.sheetOf('c', null)
    expect(found.columns).toEqual(['Email', 'Other'])
    expect(found.notice).toContain(why)
    await clock.advance(61_000)
    await cache.sheetOf('c', null)
    expect(requests).toEqual(['sheet', 'sheet'])
  })

  test('is unknown while the service does not respond, and there is no fallback', async () => {
    const { cache, requests } = cacheOver(new ServiceUnreachableError('sample-sheet', 'HTTP 503', 5))
    await expect(cache.sheetOf('c', null)).rejects.toThrow(ServiceUnreachableError)
    await expect(cache.sheetOf('c', null)).rejects.toThrow(ServiceUnreachableError)
    expect(requests).toEqual(['sheet', 'sheet'])
  })
})
