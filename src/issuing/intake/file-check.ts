// Opens a file and checks it against its pipeline and course, both for issuing and for dry runs: validates each row,
// assigns its image, refuses merged cells, and collects notices. Reads files and does not write to the database.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import type { SharedValues } from '#src/domain/recipient/unique-within-file.ts'
import { isResultsHeader, isWrittenByUs } from '#src/files/tables/added-columns.ts'
import { openSource } from '#src/files/tables/open-source.ts'
import type { Source, SourceOptions, SourceRow } from '#src/files/tables/source.ts'
import { SourceError } from '#src/files/tables/source-error.ts'
import type { OpenFile } from '#src/files/tables/source-file.ts'
import { explainMergedColumn } from '#src/files/tables/xlsx/merged-columns.ts'
import type { FilledSheet } from '#src/issuing/upload/check-sheet.ts'
import type { ReadImage } from '#src/ledger/runs/images.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { openImageCheck } from './image-check.ts'
import { openRowCheck, PlanError, type RowCheck } from './row-check.ts'

/**
 * Opens a file with the options of its pipeline. For an invalid-rows file written by credsync, the pipeline's sheet
 * name is ignored.
 * @throws SourceError, also for a results file written by credsync
 */
export async function openFile(location: string | OpenFile, options: SourceOptions): Promise<Source> {
  const source = await openWithAnySheet(location, options)
  if (!isResultsHeader(source.header)) return source
  await source[Symbol.asyncDispose]()
  throw new SourceError(
    'our-results',
    source.name,
    'This is a results file that credsync wrote: it has the columns status, credential_id and reason. It does not show what was wrong with each row, so it is not imported. Send the file with the invalid rows (NAME.RUN.invalid, next to the results) once its rows are fixed, or the original list. If these columns are your own, rename one of them.',
  )
}

async function openWithAnySheet(location: string | OpenFile, options: SourceOptions): Promise<Source> {
  try {
    return await openSource(location, options)
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'sheet-missing' || options.sheet === undefined) throw error
    const source = await openSource(location, { ...options, sheet: undefined }).catch(() => null)
    if (source && isWrittenByUs(source.header)) return source
    await source?.[Symbol.asyncDispose]()
    throw error
  }
}

export interface FileCheckInput {
  pipeline: PipelineSettings
  /** The uuid of the course. */
  course: string
  fields: readonly Field[]
  hasher: Hasher
  /** The current time by the worker's clock. */
  now: Date
  /** Values that an earlier reading of the file found for more than one person. */
  shared?: SharedValues
  /** Returns notices about the upload sheet; throws if the sheet has no column for a field or for the images. */
  checkUploadSheet: (content: FilledSheet) => Promise<readonly string[]>
}

export interface FileCheck extends Pick<RowCheck, 'plan' | 'nameFields' | 'primaryVaries' | 'identified' | 'shared'> {
  /** Converts a row for the ledger, with the name of its image or with its violations. Rows must be passed in order. */
  row(source: SourceRow): StagedRow
  /** @throws any error from reading the source */
  readImage: ReadImage
  /** The title of the image column, if images are sent. */
  imageColumn: string | null
  /**
   * Returns notices about the file for the user. Must be called after the last row, because some notices are known only
   * then.
   * @throws PlanError for faults that are known only at the end of the file
   */
  end(): string[]
}

/** The result of reading a file to its end. */
export interface ReadFile<Result>
  extends Pick<Source, 'format' | 'separator' | 'header'>,
    Pick<FileCheck, 'plan' | 'nameFields' | 'primaryVaries' | 'identified' | 'imageColumn'> {
  result: Result
  /** Notices about the file for the user. */
  notices: string[]
}

/**
 * Opens a source and passes it to `read`. Opens and reads it again in the rare case that a later row shows an accepted
 * row to be invalid: when two people share a unique value, the row of the first person has already been accepted.
 * @param read must discard the results of any previous reading
 * @throws SourceError, PlanError, and any error from `read` and `checkUploadSheet`
 */
export async function readSource<Result>(
  open: () => Promise<Source>,
  input: FileCheckInput,
  read: (source: Source, check: FileCheck) => Promise<Result>,
): Promise<ReadFile<Result>> {
  let shared: SharedValues = input.shared ?? new Map()
  for (;;) {
    await using source = await open()
    const check = await openFileCheck(source, { ...input, shared })
    const result = await read(source, check)
    const sharedNow = check.shared()
    if (countValues(sharedNow) === countValues(shared)) {
      const { format, separator, header } = source
      return { ...check, format, separator, header, result, notices: check.end() }
    }
    shared = sharedNow
  }
}

function countValues(shared: SharedValues): number {
  return [...shared.values()].reduce((sum, values) => sum + values.size, 0)
}

/** @throws PlanError with every fault of the columns; any error from `checkUploadSheet` */
export async function openFileCheck(source: Source, input: FileCheckInput): Promise<FileCheck> {
  const { pipeline, course, fields, hasher } = input
  const { header, format } = source
  const rows = openRowCheck({
    pipeline,
    fields,
    header,
    course,
    hasher,
    today: input.now.toISOString().slice(0, 10),
    fileNotices: source.notices,
    completionsOf: source.completionsOf,
    ...(input.shared && { shared: input.shared }),
  })
  const { plan, where, notices, ...known } = rows
  // Merged cells are listed after the rows, so the accepted rows are remembered until then.
  const accepted = new Set<number>()
  const images = openImageCheck(pipeline.batch, source, plan)
  const sheetNotices = await input.checkUploadSheet({
    fields: plan.map(({ field }) => field.displayName),
    images: images.sendsImages,
  })
  return {
    ...known,
    plan,
    imageColumn: images.column,
    row(source) {
      const staged = images.row(source, rows.row(source))
      if (format === 'xlsx' && !staged.violations) accepted.add(staged.row)
      return staged
    },
    readImage: images.read,
    end() {
      refuseMergedCells(source, plan, accepted, where.columns)
      return [...source.notices, ...notices, ...where.notices(), ...sheetNotices, ...images.notices()]
    },
  }
}

/**
 * Refuses a workbook with merged cells in columns that fill fields, because values would be missing in what is sent.
 * Must be called after the last row: a workbook lists its merged cells after the rows. By then the affected rows have
 * been read, so the whole file is refused. Merged cells are harmless in columns that fill no field, and in rows that
 * are not accepted, such as a row of totals. Pure.
 * @param whereColumns the columns that the pipeline's setting `where` filters by
 * @param accepted the rows that are to be sent
 * @throws PlanError
 */
export function refuseMergedCells(
  { merged }: Pick<Source, 'merged'>,
  plan: ColumnPlan,
  accepted: Pick<ReadonlySet<number>, 'has'>,
  whereColumns: readonly number[] = [],
): void {
  const filling = plan.flatMap(({ source }) => (source.kind === 'column' ? [source.index] : []))
  const used = new Set([...filling, ...whereColumns])
  const harmful = merged.filter(({ column, row }) => used.has(column) && (row === undefined || accepted.has(row)))
  const faults = [
    ...new Map(harmful.toReversed().map((each) => [each.column, explainMergedColumn(each)])).values(),
  ].toReversed()
  if (faults.length > 0) throw new PlanError(faults)
}
