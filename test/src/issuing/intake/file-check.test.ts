// Checking a source file during intake: it is opened with its pipeline's settings and checked row by row, and notices
// are returned.

import { describe, expect, test } from 'vitest'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { parseFileSettings } from '#config/settings.ts'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { type FileCheckInput, openFile, openFileCheck, readSource } from '#src/issuing/intake/file-check.ts'
import { PlanError } from '#src/issuing/intake/row-check.ts'
import { resultHeader } from '#src/issuing/results/result-lines.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'
import { aPng, zipOfList } from '#test/support/portraits.ts'
import { withFile } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const now = new Date('2026-11-29T12:00:00Z')
const names = 'Email,First Name,Last Name'

function aPipeline(more: object): PipelineSettings {
  const columns = { 'Primary Value': { value: 'Email' } }
  const spring = { course: aCourse, template: otherCourse, badgeTemplate: otherCourse, columns, ...more }
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: { spring } })
  return file.pipelines.spring as PipelineSettings
}

async function check(bytes: string | Buffer, pipeline: object = {}) {
  const sheetContents: object[] = []
  const rows: StagedRow[] = []
  const settings = aPipeline(pipeline)
  const notices = await withFile(bytes, async (path) => {
    await using source = await openFile(path, settings.file)
    const checkUploadSheet = async (content: object) => {
      sheetContents.push(content)
      return ['the sheet is old']
    }
    const file = await openFileCheck(source, {
      pipeline: settings,
      course: aCourse,
      fields: courseFields,
      hasher,
      now,
      checkUploadSheet,
    })
    for await (const batch of source.batches()) rows.push(...batch.map(file.row))
    return file.end()
  })
  return { sheetContents, rows, notices }
}

describe('a file', () => {
  test('is read with its pipeline’s encoding and separator', async () => {
    const bytes = Buffer.from(`${names.replaceAll(',', '~')}\na@x.org~Jana~Dvo\xf8\xe1kov\xe1\n`, 'latin1')
    const { rows } = await check(bytes, { file: { encoding: 'windows-1250', delimiter: '~' } })
    expect(rows[0]?.recipient).toMatchObject({ 'Last Name': 'Dvořáková' })
  })

  test('that is a workbook is read from the sheet that its pipeline names, unless it is one of credsync’s own invalid-rows files', async () => {
    const rows = inlineRow('Email', 'First Name', 'Last Name') + inlineRow('a@x.org', 'Ada', 'King')
    await expect(check(writeWorkbook({ rows }), { file: { sheet: 'Liste' } })).rejects.toThrow('Correct file.sheet')
    const ours =
      inlineRow('row', 'column', 'rule', 'what_to_do', 'Email', 'First Name', 'Last Name') +
      inlineRow('7', 'Email', 'email', 'Fix it.', 'a@x.org', 'Ada', 'King')
    const found = await check(writeWorkbook({ rows: ours }), { file: { sheet: 'Liste' } })
    expect(found.rows[0]?.recipient).toMatchObject({ 'First Name': 'Ada' })
  })

  test('is compared with the upload sheet, its rows get their images, and notices are returned at the end', async () => {
    const list = `${names},Foto\na@x.org,Ada,King,a.png\nb@x.org,Bob,Bell,\n`
    const { sheetContents, rows, notices } = await check(zipOfList(list, { 'a.png': aPng('a'), 'b.png': aPng('b') }), {
      batch: { mode: 'upload' },
    })
    expect(sheetContents).toEqual([
      {
        fields: ['Email', 'First Name', 'Last Name', 'Primary Value'],
        images: true,
      },
    ])
    expect(rows.map(({ image, violations }) => [image ?? null, violations?.length ?? 0])).toEqual([
      ['a.png', 0],
      [null, 1],
    ])
    expect(notices).toEqual(['the sheet is old', '1 image is not named by any row and will not be sent: “b.png”.'])
  })

  test('gets its notices in order: about the file, its columns and the upload sheet', async () => {
    const list = `${names},Raum\na@x.org,="Jörg",King,7\n`
    const { notices } = await check(list, { file: { delimiter: '~' } })
    expect(notices).toEqual([
      expect.stringMatching(/separator that file\.delimiter names/),
      expect.stringMatching(/fill no field of the course; .*: Raum\.$/),
      'the sheet is old',
    ])
  })

  test('is refused if no column names its images, and single rows are rejected if their images are missing', async () => {
    const upload = { batch: { mode: 'upload' } }
    const bytes = zipOfList(`${names}\na@x.org,Ada,King\n`, { 'a.png': aPng('a') })
    await expect(check(bytes, upload)).rejects.toThrow(PlanError)
    const { rows } = await check(`${names},Photo\na@x.org,Ada,King,a.png\nb@x.org,Bob,Bell,\n`, upload)
    expect(rows.map(({ violations }) => violations?.length ?? 0)).toEqual([1, 0])
  })
})

describe('credsync’s own results files', () => {
  const titles = resultHeader(names.split(','))
  const list = (header: string[]) => `${header.join(',')}\na@x.org,Ada,King,invalid,,,,,The row has 5 cells.\n`

  test.each([
    ['as they were written', list(titles)],
    ['with a column added and one removed', list([...titles.filter((name) => name !== 'verifier_link'), 'seen by'])],
    ['with a status column from the source', list(resultHeader(['Email', 'First Name', 'Last Name', 'Status']))],
  ])('are refused %s, with a message that says what to send instead', async (_, text) => {
    const refusal = expect(check(text)).rejects
    await refusal.toThrow(/results file that credsync wrote.*invalid rows.*original list/)
    await refusal.toMatchObject({ code: 'our-results' })
  })

  test('are refused as workbooks too, regardless of the sheet that the pipeline names', async () => {
    const workbook = writeWorkbook({ rows: inlineRow(...titles) + inlineRow('a@x.org', 'TRUE', 'King', 'invalid') })
    for (const pipeline of [{}, { file: { sheet: 'Liste' } }])
      await expect(check(workbook, pipeline)).rejects.toMatchObject({ code: 'our-results' })
  })

  test('are distinguished from a list with its own status and reason', async () => {
    const { rows } = await check(`${names},status,reason\na@x.org,Ada,King,passed,exam\n`)
    expect(rows[0]?.recipient).toMatchObject({ 'First Name': 'Ada' })
  })
})

describe('a workbook', () => {
  const rows = [
    ['Email', 'First Name', 'Last Name'],
    ['a@x.org', 'Ada', 'King'],
    ['Total', '', '1'],
  ].map((each) => inlineRow(...each))
  const merged = (range: string) =>
    `<worksheet><sheetData>${rows.join('')}</sheetData><mergeCells><mergeCell ref="${range}"/></mergeCells></worksheet>`

  test('with merged cells in its last row is accepted, and that row is invalid', async () => {
    const found = await check(writeWorkbook({ sheet: merged('A3:B3') }))
    expect(found.rows.map(({ violations }) => violations === null)).toEqual([true, false])
  })

  test('with merged cells in a row that would be sent is refused', async () => {
    await expect(check(writeWorkbook({ sheet: merged('A2:B2') }))).rejects.toThrow(/A2:B2 of the sheet are merged/)
  })

  test('that begins with a sheet of another type is refused, and its other sheets are mentioned', async () => {
    const workbook =
      '<sheets><sheet name="Cover" sheetId="1" r:id="s1"/><sheet name="People" sheetId="2" r:id="s1"/></sheets>'
    const cover = writeWorkbook({ rows: inlineRow('Course results 2026') + inlineRow('x'), workbook })
    await expect(check(cover)).rejects.toThrow(
      /first row looks like a person’s data, or is a title.*\n.*Only the first of 2 visible sheets was read\. If that is the wrong sheet, name another one as file\.sheet/,
    )
  })
})

describe('a file in which two people share one unique value', () => {
  const fields = courseFields.map((field) => ({ ...field, unique: field.displayName === 'Last Name' }))
  const input = { pipeline: aPipeline({}), course: aCourse, fields, hasher, now, checkUploadSheet: async () => [] }

  function readings(list: string, more: Pick<FileCheckInput, 'shared'> = {}) {
    const rejectedRows: number[][] = []
    return withFile(list, async (path) => {
      const read = await readSource(
        () => openFile(path, input.pipeline.file),
        { ...input, ...more },
        async (source, file) => {
          const rows: StagedRow[] = []
          for await (const batch of source.batches()) rows.push(...batch.map(file.row))
          rejectedRows.push(rows.filter(({ violations }) => violations).map(({ row }) => row))
          return rows.length
        },
      )
      return { read, rejectedRows }
    })
  }

  test('is read again, and both rows are rejected', async () => {
    const { read, rejectedRows } = await readings(`${names}\na@x.org,Ada,King\nb@x.org,Bob,Bell\nc@x.org,Cem,King\n`)
    expect(rejectedRows).toEqual([[4], [2, 4]])
    expect(read).toMatchObject({ result: 3, format: 'csv', separator: ',' })
  })

  test('is read once if an earlier reading found that', async () => {
    const shared = new Map([[2, new Map([['Last Name', 4]])]])
    const list = `${names}\na@x.org,Ada,King\nb@x.org,Bob,Bell\nc@x.org,Cem,King\n`
    expect((await readings(list, { shared })).rejectedRows).toEqual([[2, 4]])
  })

  test('is the only kind that is read twice', async () => {
    const { rejectedRows } = await readings(`${names}\na@x.org,Ada,King\na@x.org,Ada,King\nb@x.org,Bob,Bell\n`)
    expect(rejectedRows).toEqual([[]])
  })
})
