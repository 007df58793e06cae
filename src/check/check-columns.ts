// The columns of a pipeline against the course's own field list, and against its sample sheet where recipients are uploaded.

import type { PipelineSettings } from '#config/schema.ts'
import { identityRuleOf } from '#src/pipelines/identity-rule.ts'
import type { ColumnSpec } from '#src/recipients/column-plan.ts'
import { compileRules } from '#src/recipients/compile-rules.ts'
import type { Field } from '#src/recipients/field.ts'
import { looseName } from '#src/recipients/loose-name.ts'
import { planColumns } from '#src/recipients/plan-columns.ts'
import { checkSheet, UploadSheetError } from '#src/upload/check-sheet.ts'
import { badSentence, type Check, good, guarded } from './check.ts'
import type { CheckedPipeline, PipelineTools } from './check-pipeline.ts'

export async function checkColumns(
  { issuer, uploads }: Pick<PipelineTools, 'issuer' | 'uploads'>,
  { name, pipeline, uuid }: CheckedPipeline,
): Promise<Check[]> {
  const fields = await issuer.fieldList(uuid)
  const more = { pipeline: name }
  const sheet = await guarded('sample sheet', () => askSheet(uploads, pipeline, uuid, fields, more), more)
  const warnings = compileRules(fields).warnings.map((warning) => warning.sentence)
  const told = fields.map(({ displayName, required }) => ({ name: displayName, required }))
  const faults = columnFaults(pipeline, fields).map((sentence) => badSentence('columns', sentence, more))
  const columns =
    faults.length > 0
      ? faults
      : [
          good('columns', `the course has ${fields.length} fields, and the columns fit them`, {
            ...more,
            ...(warnings.length > 0 && { notices: warnings }),
          }),
        ]
  const all = [...sheet, ...columns]
  const last = all.at(-1)
  // Whoever has to mend columns needs the list most.
  if (last) last.fields = told
  return all
}

/** What the sheet of an upload must have room for, whatever the file: fields that are mapped or required, and images where their column is named. */
async function askSheet(
  uploads: PipelineTools['uploads'],
  { columns, batch }: PipelineSettings,
  course: string,
  fields: readonly Field[],
  more: Pick<Check, 'pipeline'>,
): Promise<Check[]> {
  if (batch.mode !== 'upload') return []
  const mapped = new Set(Object.keys(columns).map(looseName))
  const sure = fields.filter(({ required, displayName }) => required || mapped.has(looseName(displayName)))
  const content = { fields: sure.map((field) => field.displayName), images: batch.imageColumn !== undefined }
  try {
    const notices = await checkSheet(uploads, batch, course, content)
    const found = 'the sample sheet has a column for each field'
    return [good('sample sheet', found, { ...more, ...(notices.length > 0 && { notices }) })]
  } catch (error) {
    if (error instanceof UploadSheetError) return error.faults.map((fault) => badSentence('sample sheet', fault, more))
    throw error
  }
}

/** The file is not there yet, so it is taken to have every column that is named, and one for each field that is not. */
function columnFaults(pipeline: PipelineSettings, fields: readonly Field[]): string[] {
  const columns = pipeline.columns as Record<string, ColumnSpec>
  const mapped = Object.values(columns).flatMap((spec) =>
    typeof spec === 'string' ? [spec] : 'column' in spec ? [spec.column] : [],
  )
  const spoken = new Set([...mapped, ...Object.keys(columns)].map(looseName))
  const unnamed = fields.map((field) => field.displayName).filter((name) => !spoken.has(looseName(name)))
  const { faults } = planColumns([...new Set([...mapped, ...unnamed])], columns, fields)
  return [...faults.map((fault) => fault.sentence), ...identityRuleOf(pipeline, fields).faults]
}
