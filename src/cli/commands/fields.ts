// credsync fields COURSE: shows the fields that a course requires for each recipient, as a table or as an empty source
// file.

import { resolve } from 'node:path'
import { type Cli, print, printJson, say } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openServiceForReading } from '#src/cli/open-service-for-reading.ts'
import { courseFileName } from '#src/cli/service-lists.ts'
import { tableLines } from '#src/cli/text/table.ts'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { type SourceTemplate, sourceTemplate } from '#src/domain/recipient/source-template.ts'
import { templateTable } from '#src/files/tables/template-table.ts'
import { writeNewFile } from '#src/files/tables/write-new-file.ts'
import type { FoundCourse } from '#src/issuing/pipelines/find-course.ts'
import { oneLine } from '#src/platform/text.ts'

interface FieldsOptions {
  template?: string
  to?: string
  force?: boolean
  config?: string
  json?: boolean
}

export async function fieldsCommand(cli: Cli, word: string, options: FieldsOptions): Promise<ExitCode> {
  const format = formatOf(options)
  await using reading = await openServiceForReading(cli, options)
  const course = await reading.course(word)
  const fields = await reading.issuer.fieldList(course.uuid)
  if (format) {
    const template = templateFor(course, fields)
    const path = resolve(cli.cwd, options.to ?? courseFileName(word, `.recipients.${format}`))
    await writeTemplate(cli, path, format, template, options)
  } else if (options.json) printJson(cli, { course: course.uuid, fields })
  else if (fields.length === 0) say(cli, `The field list of the course ${course.uuid} is empty.`)
  else for (const line of fieldLines(fields)) print(cli, line)
  return exitCode.ok
}

function formatOf({ template, to, force }: FieldsOptions): 'csv' | 'xlsx' | null {
  if (template === 'csv' || template === 'xlsx') return template
  if (template !== undefined) throw new UsageError(`--template ${template}: use csv or xlsx.`)
  if (to !== undefined || force)
    throw new UsageError('--to and --force apply to a template file: add --template csv or xlsx.')
  return null
}

/** Uses a pipeline's own columns, so that the file fits it unchanged. @throws UsageError listing every fault */
function templateFor({ pipeline }: FoundCourse, fields: readonly Field[]): SourceTemplate {
  const columns = pipeline?.columns as Record<string, ColumnSpec> | undefined
  const template = sourceTemplate(fields, columns, pipeline?.batch.imageColumn, pipeline?.where)
  if (!('faults' in template)) return template
  throw new UsageError(
    `No template can be made, because the columns do not fit the course:\n${template.faults.map((fault) => `  - ${fault}`).join('\n')}`,
  )
}

async function writeTemplate(
  cli: Cli,
  path: string,
  format: 'csv' | 'xlsx',
  template: SourceTemplate,
  { force = false, json }: FieldsOptions,
): Promise<void> {
  if (template.columns.length === 0)
    throw new UsageError('No template can be made: no field of the course takes a column.')
  await writeNewFile(path, await templateTable(format, template.columns), { replace: force })
  if (json) printJson(cli, { file: path, columns: template.columns.map(({ title }) => title) })
  else print(cli, path)
  say(
    cli,
    format === 'xlsx'
      ? "A note on each column's name says what the course expects there."
      : 'A workbook (--template xlsx) also has notes on what the course expects in each column.',
  )
  for (const note of template.notes) say(cli, oneLine(note))
}

const columns: Readonly<Record<string, (field: Field) => string>> = {
  field: (field) => field.displayName,
  'internal name': (field) => field.name,
  type: ({ type, inputType }) => (type === inputType ? type : `${type} ${inputType}`.trim()),
  required: ({ required }) => (required ? 'yes' : ''),
  unique: ({ unique }) => (unique ? 'yes' : ''),
  max: ({ maxLength }) => maxLength?.toString() ?? '',
  from: ({ min }) => min?.toString() ?? '',
  to: ({ max }) => max?.toString() ?? '',
  options: ({ options }) => options.join(', '),
  sample: ({ sampleValue }) => sampleValue,
  pattern: ({ regex }) => regex,
}

function fieldLines(fields: readonly Field[]): string[] {
  return tableLines(
    Object.keys(columns),
    fields.map((field) => Object.values(columns).map((cell) => cell(field))),
  )
}
