// What a course's sheet looks like: taken from its sample, asked for once, and what stands in for it.

import { describe, expect, test } from 'vitest'
import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { openUploadDesk, type SampleSource } from '#src/upload/upload-desk.ts'
import { steppedClock } from '#test/support/clock.ts'
import { buildZip } from '#test/support/stored-zip.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const workbook = (...titles: string[]) => writeWorkbook({ rows: inlineRow(...titles) + inlineRow('example') })

interface Asked {
  desk: ReturnType<typeof openUploadDesk>
  asked: string[]
  clock: ReturnType<typeof steppedClock>
}

/** A desk over a service that answers so; a fault is thrown. */
function deskOver(
  sheet: Buffer | Error,
  data: Buffer | Error = new ServiceRefusedError(404, 'sample-data', ''),
): Asked {
  const asked: string[] = []
  const answer = (name: string, given: Buffer | Error) => async () => {
    asked.push(name)
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
  return { desk: openUploadDesk(source, clock), asked, clock }
}

describe('the sheet of a course', () => {
  test('has the header of its sample sheet, exactly, without empty columns at the end', async () => {
    const { desk } = deskOver(workbook('Email *', ' First Name ', '', 'Other', '', ''))
    expect(await desk.sheetOf('c', null)).toEqual({
      columns: ['Email *', 'First Name', '', 'Other'],
      courseNumber: null,
      notice: null,
    })
  })

  test('is asked for once, also by many at a time, and again after an hour', async () => {
    const { desk, asked, clock } = deskOver(workbook('Email'))
    await Promise.all([desk.sheetOf('c', null), desk.sheetOf('c', null)])
    await desk.sheetOf('c', null)
    expect(asked).toEqual(['sheet'])
    await clock.advance(61 * 60_000)
    await desk.sheetOf('c', null)
    expect(asked).toEqual(['sheet', 'sheet'])
  })

  test('comes with the number of the course where it asks for that', async () => {
    const { desk } = deskOver(workbook('Course number', 'Email'))
    expect(await desk.sheetOf('c', null)).toMatchObject({ courseNumber: 'WELD-1' })
  })

  test('is that of the sample with images, where images travel and the plain one has no column for them', async () => {
    const data = buildZip([
      { name: 'sample/list.xlsx', content: workbook('Email', 'Photo') },
      { name: '__MACOSX/sample/._list.xlsx', content: 'x' },
      { name: 'sample/1.png', content: 'x' },
    ])
    const { desk, asked } = deskOver(workbook('Email'), data)
    expect(await desk.sheetOf('c', {})).toMatchObject({ columns: ['Email', 'Photo'] })
    expect(await desk.sheetOf('c', null)).toMatchObject({ columns: ['Email'] })
    expect(asked).toEqual(['sheet', 'data'])
    const { desk: other, asked: only } = deskOver(workbook('Email', 'Portrait'), data)
    expect(await other.sheetOf('c', { column: 'portrait' })).toMatchObject({ columns: ['Email', 'Portrait'] })
    expect(only).toEqual(['sheet'])
  })

  test.each([
    ['is refused', new ServiceRefusedError(404, 'sample-sheet', 'no'), 'the service refused it, HTTP 404'],
    ['is an envelope', Buffer.from('{"status":200,"payload":"https://x.example/s.xlsx"}'), 'neither a workbook'],
    ['is damaged', workbook('Email').subarray(0, 300), 'damaged'],
    ['is empty', writeWorkbook({ rows: '' }), 'no filled row'],
  ])('is the field list, with a notice, when the sample %s', async (_what, sheet, why) => {
    const { desk, asked, clock } = deskOver(sheet)
    const found = await desk.sheetOf('c', null)
    expect(found.columns).toEqual(['Email', 'Other'])
    expect(found.notice).toContain(why)
    await clock.advance(61_000)
    await desk.sheetOf('c', null)
    expect(asked).toEqual(['sheet', 'sheet'])
  })

  test('is unknown while the service gives no answer, and nothing stands in for it', async () => {
    const { desk, asked } = deskOver(new ServiceUnreachableError('sample-sheet', 'HTTP 503', 5))
    await expect(desk.sheetOf('c', null)).rejects.toThrow(ServiceUnreachableError)
    await expect(desk.sheetOf('c', null)).rejects.toThrow(ServiceUnreachableError)
    expect(asked).toEqual(['sheet', 'sheet'])
  })
})
