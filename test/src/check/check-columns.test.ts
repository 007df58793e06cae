// What `check` reports about the columns of a pipeline that uploads: the sample sheet needs a place for each field.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkColumns } from '#src/check/check-columns.ts'
import type { Check } from '#src/check/check-result.ts'
import { openSheetLayoutCache } from '#src/issuing/upload/sheet-layout-cache.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { steppedClock } from '#test/support/clock.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const fields = courseFields.map((field) => ({ ...field, required: ['Email', 'Last Name'].includes(field.displayName) }))

/** Checks a pipeline with these columns against a sheet with these. */
async function allChecks(columns: object, sheet: readonly string[], course = fields): Promise<Check[]> {
  const spring = { course: uuid, template: uuid, badgeTemplate: uuid, batch: { mode: 'upload' }, columns }
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: { spring } })
  const { spring: pipeline } = file.pipelines
  if (!pipeline) throw new Error('The configuration has no pipeline.')
  const source = {
    sampleSheet: async () => ({ bytes: await writeWorkbook({ rows: inlineRow(...sheet) }) }),
    sampleData: async () => ({ bytes: Buffer.alloc(0) }),
    fieldList: async () => course,
    courseDetail: async () => ({ course_number: null }),
  }
  const tools = {
    issuer: source,
    uploads: openSheetLayoutCache(source, steppedClock()),
    settings: { file },
  }
  return checkColumns(tools as never, { name: 'spring', pipeline, uuid })
}

async function sheetFaults(columns: Record<string, string>, sheet: readonly string[]): Promise<string[]> {
  const checks = await allChecks(columns, sheet)
  return checks.flatMap(({ name, ok, what }) => (name === 'sample sheet' && !ok ? [what] : []))
}

test('a sheet without a field that the course requires is a fault, whether `columns` names the field or not', async () => {
  expect(await sheetFaults({}, ['Email', 'Last Name'])).toEqual([])
  for (const columns of [{}, { 'Last Name': 'family' }])
    expect(await sheetFaults(columns, ['Email', 'First Name'])).toEqual([expect.stringContaining('Last Name')])
})

test('a sheet without an optional field is a fault if `columns` names the field', async () => {
  expect(await sheetFaults({ 'First Name': 'given' }, ['Email', 'Last Name'])).toEqual([
    expect.stringContaining('First Name'),
  ])
})

test('a rule of the course that credsync cannot check is a notice', async () => {
  const [email, ...others] = fields
  const course = [{ ...email, regex: '([a-z]+)+$(?<=x)\\1' }, ...others] as typeof fields
  const notices = (await allChecks({}, ['Email', 'Last Name'], course)).find(({ name }) => name === 'columns')?.notices
  expect(notices).toEqual([expect.stringContaining('The pattern of “Email” is not checked by credsync')])
})
