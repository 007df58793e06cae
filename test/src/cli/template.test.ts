// The empty source file of a course: its example is never issued, and with a person in its place it is issued as it stands.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import exceljs from 'exceljs'
import { expect, onTestFinished, test } from 'vitest'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'
import { type AtHand, openAtHand, pipelineOf } from './in-process.ts'

const mapped = {
  Email: 'e_mail',
  'Primary Value': { value: 'Email' },
  'Birth Date': { column: 'born', date: 'DD.MM.YYYY' },
}

async function openWithDatabase(): Promise<AtHand> {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const hand = await openAtHand({
    pipelines: (sandbox) => ({
      mapped: pipelineOf(sandbox, { columns: mapped }),
      plain: pipelineOf(sandbox, { columns: {} }),
    }),
  })
  hand.env.DATABASE_URL = database.url
  return hand
}

/** The example's own values without their mark: it is somebody then. */
const person = (value: string) => value.replace('[example] ', '').replace('DD.MM.YYYY', '31.12.1990')

async function fillIn(path: string): Promise<void> {
  if (path.endsWith('.csv'))
    return await writeFile(
      path,
      (await readFile(path, 'utf8'))
        .split('\r\n')
        .map((line) => line.split(',').map(person).join(','))
        .join('\r\n'),
    )
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.readFile(path)
  workbook.worksheets[0]?.getRow(2).eachCell((cell) => {
    cell.value = person(cell.text)
  })
  await workbook.xlsx.writeFile(path)
}

describeWithDatabase('credsync fields --template', () => {
  test.each([
    ['csv', 'mapped', 'mapped'],
    ['xlsx', 'mapped', 'mapped'],
    ['csv', 'WELD-1', 'plain'],
    ['xlsx', 'WELD-1', 'plain'],
  ])(
    'writes a %s for %s that passes for pipeline %s once a person stands in it, and not before',
    async (format, course, pipeline) => {
      const hand = await openWithDatabase()
      const made = await hand.run('fields', course, '--template', format, '--to', `list.${format}`, '--json')
      const path = join(hand.folder, `list.${format}`)
      const { columns, file, notes } = JSON.parse(made.stdout)
      expect([made.code, file, notes]).toEqual([0, path, format === 'csv' ? join(hand.folder, 'list.notes.txt') : null])
      expect(columns).toEqual(
        pipeline === 'mapped'
          ? expect.arrayContaining(['e_mail', 'born', 'First Name'])
          : expect.arrayContaining(['Email', 'Birth Date', 'Primary Value']),
      )
      expect(columns.includes('Primary Value')).toBe(pipeline === 'plain')

      const rehearse = () => hand.run('issue', path, '--pipeline', pipeline, '--dry-run', '--json')
      const untouched = await rehearse()
      expect(untouched.code).toBe(3)
      expect(JSON.parse(untouched.stdout)).toMatchObject({
        rows: 1,
        invalid: 1,
        problems: [{ rule: 'example', rows: 1 }],
      })
      expect(untouched.stderr).toContain('the row is the example of a template')

      await fillIn(path)
      const filled = await rehearse()
      expect(JSON.parse(filled.stdout)).toMatchObject({ rows: 1, invalid: 0, notices: [] })
      expect(filled.code).toBe(0)
    },
  )
})

test('the rules of each column stand in the notes of a CSV, and on the names of a workbook whose cells are text', async () => {
  const hand = await openAtHand({ pipelines: (sandbox) => ({ mapped: pipelineOf(sandbox, { columns: mapped }) }) })
  const csv = await hand.run('fields', 'mapped', '--template', 'csv')
  const [path, notesPath = ''] = csv.stdout.trimEnd().split('\n')
  expect(path).toBe(join(hand.folder, 'mapped.recipients.csv'))
  const notes = await readFile(notesPath, 'utf8')
  expect(notes).toContain(
    'e_mail\n  Fills “Email”.\n  Required.\n  At most 128 characters.\n  Must fit the pattern ^[A-Za-z0-9',
  )
  expect(notes).toContain('born\n  Fills “Birth Date”.\n  May be empty.\n  A date, written as DD.MM.YYYY.\n')
  expect(notes).toContain('“Primary Value” has no column: the configuration fills it with “Email”.')

  const again = await hand.run('fields', 'mapped', '--template', 'csv')
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already. Say --force')])
  expect((await hand.run('fields', 'mapped', '--template', 'csv', '--force')).code).toBe(0)

  await hand.run('fields', 'WELD-1', '--template', 'xlsx')
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.readFile(join(hand.folder, 'WELD-1.recipients.xlsx'))
  expect(workbook.worksheets).toHaveLength(1)
  const sheet = workbook.worksheets[0]
  const at = (title: string) => {
    let found = 0
    sheet?.getRow(1).eachCell((cell, column) => {
      if (cell.text === title) found = column
    })
    return found
  }
  expect(JSON.stringify(sheet?.getCell(1, at('Contact Number')).note)).toContain('drops leading zeros')
  expect(sheet?.getColumn(at('Contact Number')).numFmt).toBe('@')
  expect(sheet?.getColumn(at('Birth Date')).numFmt).toBe('yyyy-mm-dd')
  expect(sheet?.getCell(2, at('Contact Number')).text).toBe('[example] 0301234567')
})
