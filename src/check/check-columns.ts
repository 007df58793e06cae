// Checks the columns of a pipeline against the field list of its course, and against the course's sample sheet if
// recipients are uploaded. Calls the service.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { looseName } from '#src/domain/recipient/loose-name.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { columnsOfSystem } from '#src/extensions/lms/check/columns-of-system.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import { checkSheet, UploadSheetError } from '#src/issuing/upload/check-sheet.ts'
import { type Check, faultyFromSentence, passed, runSafely } from './check-result.ts'
import type { CheckedPipeline, PipelineTools } from './checked-pipeline.ts'

/** The columns of a source that is not a file. A file may have any columns. */
export interface SourceColumns {
  system: string
  titles: string[]
}

export async function checkColumns(
  { issuer, uploads, settings }: Pick<PipelineTools, 'issuer' | 'uploads' | 'settings'>,
  { name, pipeline, uuid }: CheckedPipeline,
): Promise<Check[]> {
  const fields = await issuer.fieldList(uuid)
  const subject = { pipeline: name }
  const sheet = await runSafely(
    'sample sheet',
    () => checkSampleSheet(uploads, pipeline, uuid, fields, subject),
    subject,
  )
  const warnings = compileRules(fields).warnings.map((warning) => warning.sentence)
  const sources: SourceColumns[] = []
  sources.push(...columnsOfSystem(settings.file, pipeline))
  const [source] = sources
  const sourceNotices = source && {
    notices: [
      `a completion of ${source.system} has the columns ${source.titles.join(', ')}; for anything else use { value: … }`,
    ],
  }
  const faults = columnFaults(pipeline, fields, source?.titles).map((sentence) =>
    faultyFromSentence(
      'columns',
      sentence,
      { ...subject, ...sourceNotices },
      `Correct pipelines.${name}.columns; \`credsync fields ${name}\` lists the fields of the course`,
    ),
  )
  const columns =
    faults.length > 0
      ? faults
      : [
          passed('columns', `the course has ${fields.length} fields, and the columns fit them`, {
            ...subject,
            ...(warnings.length > 0 && { notices: warnings }),
          }),
        ]
  return [...sheet, ...columns]
}

/**
 * Checks that the upload sheet has a column for everything a file may contain: fields that are mapped or required, and
 * images if their column is configured.
 */
async function checkSampleSheet(
  uploads: PipelineTools['uploads'],
  { columns, batch }: PipelineSettings,
  course: string,
  fields: readonly Field[],
  subject: Pick<Check, 'pipeline'>,
): Promise<Check[]> {
  if (batch.mode !== 'upload') return []
  const mapped = new Set(Object.keys(columns).map(looseName))
  const expected = fields.filter(({ required, displayName }) => required || mapped.has(looseName(displayName)))
  const content = { fields: expected.map((field) => field.displayName), images: batch.imageColumn !== undefined }
  try {
    const notices = await checkSheet(uploads, batch, course, content)
    const found = 'the sample sheet has a column for each field'
    return [passed('sample sheet', found, { ...subject, ...(notices.length > 0 && { notices }) })]
  } catch (error) {
    if (error instanceof UploadSheetError)
      return error.faults.map((fault) => faultyFromSentence('sample sheet', fault, subject))
    throw error
  }
}

/**
 * Returns sentences about the columns. There is no file yet, so it is assumed to have every column that the
 * configuration names, and one for every other field.
 */
function columnFaults(
  pipeline: PipelineSettings,
  fields: readonly Field[],
  titles = anyTitles(pipeline, fields),
): string[] {
  const { faults } = planColumns(titles, pipeline.columns as Record<string, ColumnSpec>, fields)
  return [...faults.map((fault) => fault.sentence), ...identityRuleOf(pipeline, fields).faults]
}

function anyTitles(pipeline: PipelineSettings, fields: readonly Field[]): string[] {
  const columns = pipeline.columns as Record<string, ColumnSpec>
  const mapped = Object.values(columns).flatMap((spec) =>
    typeof spec === 'string' ? [spec] : 'column' in spec ? [spec.column] : [],
  )
  const mentioned = new Set([...mapped, ...Object.keys(columns)].map(looseName))
  const unnamed = fields.map((field) => field.displayName).filter((name) => !mentioned.has(looseName(name)))
  return [...new Set([...mapped, ...unnamed])]
}
