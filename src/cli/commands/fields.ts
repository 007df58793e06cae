// credsync fields COURSE: what a course wants to know of each recipient, as a table or as an empty source file.

import { resolve } from 'node:path'
import type { RecipientField } from '#src/issuer/fields.ts'
import type { FoundCourse } from '#src/pipelines/find-course.ts'
import type { ColumnSpec } from '#src/recipients/column-plan.ts'
import { exampleMark } from '#src/recipients/example-row.ts'
import { type SourceTemplate, sourceTemplate } from '#src/recipients/source-template.ts'
import { keepFile, refuseTaken } from '#src/sources/keep-file.ts'
import { templateTable } from '#src/sources/template-table.ts'
import { oneLine } from '../display-width.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { fieldTable } from '../field-table.ts'
import { fileForCourse } from '../file-for-course.ts'
import { readService } from '../service-reading.ts'
import { answer, answerJson, type Cli, say, widthOf } from '../surroundings.ts'
import { tableLines } from '../table.ts'

export interface FieldsOptions {
  template?: string
  to?: string
  force?: boolean
  config?: string
  json?: boolean
}

export async function fieldsCommand(cli: Cli, word: string, options: FieldsOptions): Promise<ExitCode> {
  const format = formatOf(options)
  await using reading = await readService(cli, options)
  const course = await reading.course(word)
  const fields = await reading.issuer.fieldList(course.uuid)
  if (format) {
    const template = templateFor(course, fields)
    const path = resolve(cli.cwd, options.to ?? fileForCourse(word, `.recipients.${format}`))
    await writeTemplate(cli, path, format, template, options)
  } else if (options.json) answerJson(cli, { course: course.uuid, fields })
  else if (fields.length === 0) say(cli, `The field list of the course ${course.uuid} is empty.`)
  else {
    const { columns, rows } = fieldTable(fields)
    for (const line of tableLines(columns, rows, widthOf(cli))) answer(cli, line)
  }
  return exitCode.ok
}

function formatOf({ template, to, force }: FieldsOptions): 'csv' | 'xlsx' | null {
  if (template === 'csv' || template === 'xlsx') return template
  if (template !== undefined) throw new UsageError(`--template ${template}: there are csv and xlsx.`)
  if (to !== undefined || force) throw new UsageError('--to and --force are about a file: add --template csv or xlsx.')
  return null
}

/** A pipeline's own columns, so that the file fits it as it stands. @throws UsageError with every fault of them */
function templateFor({ pipeline }: FoundCourse, fields: readonly RecipientField[]): SourceTemplate {
  const columns = pipeline?.columns as Record<string, ColumnSpec> | undefined
  const template = sourceTemplate(fields, columns, pipeline?.batch.imageColumn)
  if (!('faults' in template)) return template
  throw new UsageError(
    `No template can be made, for the columns do not fit the course:\n${template.faults.map((fault) => `  - ${fault}`).join('\n')}`,
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
  const notes = format === 'csv' ? `${path.replace(/\.csv$/i, '')}.notes.txt` : null
  const files = [path, ...(notes ? [notes] : [])]
  // Both or neither: one of two that is refused would leave half of it.
  if (!force) for (const file of files) await refuseTaken(file)
  await keepFile(path, await templateTable(format, template.columns), { replace: force })
  if (notes) await keepFile(notes, Buffer.from(notesText(template)), { replace: force })
  if (json) answerJson(cli, { file: path, notes, columns: template.columns.map(({ title }) => title) })
  else for (const file of files) answer(cli, file)
  say(cli, `Put people into its rows, and delete the one with ${exampleMark}: credsync refuses it.`)
  say(
    cli,
    notes
      ? 'What the course wants of each column stands in the notes.'
      : 'What the course wants of a column is noted at its name.',
  )
  for (const note of template.notes) say(cli, oneLine(note))
}

function notesText({ columns, notes }: SourceTemplate): string {
  const parts = columns.map(({ title, notes: own }) =>
    [oneLine(title), ...own.map((note) => `  ${oneLine(note)}`)].join('\n'),
  )
  const rest = notes.length > 0 ? [notes.map(oneLine).join('\n')] : []
  return `${['What the course wants of each column.', ...parts, ...rest].join('\n\n')}\n`
}
