// The empty source file of a course: with a person in it, it is accepted.

import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import exceljs from 'exceljs'
import { expect, onTestFinished, test } from 'vitest'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'
import { type CliSetup, openCliSetup, pipelineOf } from './cli-setup.ts'

const mappedColumns = {
  Email: 'e_mail',
  'Primary Value': { value: 'Email' },
  'Birth Date': { column: 'born', date: 'DD.MM.YYYY' },
}

async function openWithDatabase(): Promise<CliSetup> {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const setup = await openCliSetup({
    pipelines: (sandbox) => ({
      mapped: pipelineOf(sandbox, { columns: mappedColumns }),
      plain: pipelineOf(sandbox, { columns: {} }),
    }),
  })
  setup.env.DATABASE_URL = database.url
  return setup
}

const person: Record<string, string> = {
  e_mail: 'ada@example.org',
  Email: 'ada@example.org',
  'First Name': 'Ada',
  'Last Name': 'Lovelace',
  'Contact Number': '0301234567',
  born: '31.12.1990',
  'Birth Date': '1990-12-31',
  'Primary Value': 'Email',
}

async function fillIn(path: string, columns: string[]): Promise<void> {
  const cells = columns.map((title) => person[title] ?? '')
  if (path.endsWith('.csv')) return await appendFile(path, cells.join(','))
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.readFile(path)
  workbook.worksheets[0]?.addRow(cells)
  await workbook.xlsx.writeFile(path)
}

describeWithDatabase('credsync fields --template', () => {
  test.each([
    ['csv', 'mapped', 'mapped'],
    ['xlsx', 'mapped', 'mapped'],
    ['csv', 'WELD-1', 'plain'],
    ['xlsx', 'WELD-1', 'plain'],
  ])('writes a %s for %s that is accepted for pipeline %s with a person in it', async (format, course, pipeline) => {
    const setup = await openWithDatabase()
    const written = await setup.run('fields', course, '--template', format, '--to', `list.${format}`, '--json')
    const path = join(setup.folder, `list.${format}`)
    const { columns, file } = JSON.parse(written.stdout)
    expect([written.code, file]).toEqual([0, path])
    expect(columns).toEqual(
      pipeline === 'mapped'
        ? expect.arrayContaining(['e_mail', 'born', 'First Name'])
        : expect.arrayContaining(['Email', 'Birth Date', 'Primary Value']),
    )
    expect(columns.includes('Primary Value')).toBe(pipeline === 'plain')

    await fillIn(path, columns)
    const filled = await setup.run('issue', path, '--pipeline', pipeline, '--dry-run', '--json')
    expect(JSON.parse(filled.stdout)).toMatchObject({ rows: 1, invalid: 0, notices: [] })
    expect(filled.code).toBe(0)
  })
})

test('a template is not written over, and the rules of each column are on the headers of a workbook whose cells are text', async () => {
  const setup = await openCliSetup({
    pipelines: (sandbox) => ({ mapped: pipelineOf(sandbox, { columns: mappedColumns }) }),
  })
  const csv = await setup.run('fields', 'mapped', '--template', 'csv')
  expect(csv.stdout).toBe(`${join(setup.folder, 'mapped.recipients.csv')}\n`)
  expect(csv.stderr).toContain('“Primary Value” has no column: the configuration fills it with “Email”.')

  const again = await setup.run('fields', 'mapped', '--template', 'csv')
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists. Use --force')])
  expect((await setup.run('fields', 'mapped', '--template', 'csv', '--force')).code).toBe(0)

  await setup.run('fields', 'WELD-1', '--template', 'xlsx')
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.readFile(join(setup.folder, 'WELD-1.recipients.xlsx'))
  expect(workbook.worksheets).toHaveLength(1)
  const sheet = workbook.worksheets[0]
  const columnOf = (title: string) => {
    let found = 0
    sheet?.getRow(1).eachCell((cell, column) => {
      if (cell.text === title) found = column
    })
    return found
  }
  expect(JSON.stringify(sheet?.getCell(1, columnOf('Contact Number')).note)).toContain('drops leading zeros')
  expect(sheet?.getColumn(columnOf('Contact Number')).numFmt).toBe('@')
  expect(sheet?.getColumn(columnOf('Birth Date')).numFmt).toBe('yyyy-mm-dd')
})
