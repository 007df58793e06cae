// A file against its pipeline and its course, for whoever reads it to issue and for whoever only rehearses: each row is checked, gets its
// image, and what was noticed is gathered.

import type { PipelineSettings } from '#config/schema.ts'
import type { Hasher } from '#src/issuance/identity.ts'
import type { ReadImage } from '#src/ledger/images.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import type { Field } from '#src/recipients/field.ts'
import type { SharedValues } from '#src/recipients/unique-within-file.ts'
import { openSource } from '#src/sources/open-source.ts'
import { isOfOurs, isResults } from '#src/sources/our-columns.ts'
import type { Source, SourceRow } from '#src/sources/source.ts'
import { SourceError } from '#src/sources/source-error.ts'
import type { SourceOptions } from '#src/sources/source-options.ts'
import { openImageCheck } from './images.ts'
import { refuseMerged } from './refuse-merged.ts'
import { openRowCheck, type RowCheck } from './row-check.ts'
import { rememberTaken } from './taken-rows.ts'
import { countTextFormulas } from './text-formulas.ts'

/**
 * Opens a file as its pipeline says that its files are written. The invalid rows that we wrote come back as we wrote them: in a workbook of ours
 * the sheet of the pipeline is not looked for.
 * @throws SourceError, also for results that we wrote
 */
export async function openFile(path: string, options: SourceOptions): Promise<Source> {
  const source = await openAsWritten(path, options)
  if (!isResults(source.header)) return source
  await source[Symbol.asyncDispose]()
  throw new SourceError(
    'our-results',
    path,
    'This is a results file of credsync: it has the columns status, credential_id and reason. What was wrong with a row cannot be seen in it any more, so nothing of it is taken. Send the file with the invalid rows (NAME.RUN.invalid, beside the results) once they are mended, or the original list. If these columns are your own, give one of them another name.',
  )
}

async function openAsWritten(path: string, options: SourceOptions): Promise<Source> {
  try {
    return await openSource(path, options)
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'sheet-missing' || options.sheet === undefined) throw error
    const source = await openSource(path, { ...options, sheet: undefined }).catch(() => null)
    if (source && isOfOurs(source.header)) return source
    await source?.[Symbol.asyncDispose]()
    throw error
  }
}

/** What the file fills, for the sheet of an upload. */
export interface FileContent {
  /** Display names of its fields. */
  fields: readonly string[]
  /** Those that the course requires. */
  required: readonly string[]
  images: boolean
}

export interface FileCheckInput {
  pipeline: PipelineSettings
  /** uuid of the course. */
  course: string
  fields: readonly Field[]
  hasher: Hasher
  /** What an earlier reading of the file found. */
  shared?: SharedValues
  /** Sentences about the sheet that takes the recipients there; throws when it has no place for them. */
  fitsSheet: (content: FileContent) => Promise<readonly string[]>
}

export interface FileCheck extends Pick<RowCheck, 'plan' | 'nameFields' | 'primaryVaries' | 'identified' | 'shared'> {
  /** A row for the ledger, with the name of its image or with what is wrong with it. Rows come in their order. */
  row(source: SourceRow): StagedRow
  /** @throws what reading the source throws */
  readImage: ReadImage
  /** The title of the column that names the images, where they travel. */
  imageColumn: string | null
  /**
   * Sentences that a person should see about the file. To be asked after the last row: some come with it.
   * @throws PlanError for what only the end of a file shows
   */
  end(): string[]
}

/** A file that was read to its end. */
export interface ReadFile<Result>
  extends Pick<Source, 'format' | 'separator' | 'header'>,
    Pick<FileCheck, 'plan' | 'nameFields' | 'primaryVaries' | 'identified' | 'imageColumn'> {
  result: Result
  /** Sentences that a person should see about the file. */
  notices: string[]
}

/**
 * Opens a source, hands it to `read`, and a second time when its end showed that rows at its beginning cannot be taken: of two people who share a
 * unique value the first one's row was let through. That is rare, and costs nothing until it happens.
 * @param read has to forget what it made of the reading before
 * @throws SourceError, PlanError, and what `read` and `fitsSheet` throw
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
    const { format, separator, header } = source
    const { plan, nameFields, primaryVaries, identified, imageColumn } = check
    const found = check.shared()
    if (countOf(found) === countOf(shared))
      return {
        ...{ format, separator, header, plan, nameFields, primaryVaries, identified, imageColumn, result },
        notices: check.end(),
      }
    shared = found
  }
}

function countOf(shared: SharedValues): number {
  return [...shared.values()].reduce((sum, by) => sum + by.size, 0)
}

/** @throws PlanError with every fault of the columns; what `fitsSheet` throws */
export async function openFileCheck(source: Source, input: FileCheckInput): Promise<FileCheck> {
  const { pipeline, course, fields, hasher } = input
  const { header, format } = source
  const rows = openRowCheck({
    pipeline,
    fields,
    header,
    format,
    course,
    hasher,
    aside: source.notices,
    ...(input.shared && { shared: input.shared }),
  })
  const { plan, nameFields, primaryVaries, identified } = rows
  const texts = countTextFormulas(plan)
  const taken = rememberTaken()
  const images = openImageCheck(pipeline.batch, source, plan)
  const filled = plan.map(({ field }) => field)
  const sheetNotices = await input.fitsSheet({
    fields: filled.map((field) => field.displayName),
    required: filled.filter((field) => field.required).map((field) => field.displayName),
    images: images.travels,
  })
  return {
    plan,
    nameFields,
    primaryVaries,
    identified,
    imageColumn: images.column,
    shared: rows.shared,
    row(source) {
      texts.look(source)
      const staged = images.row(source, rows.row(source))
      if (format === 'xlsx' && !staged.violations) taken.add(staged.row)
      return staged
    },
    readImage: images.read,
    end() {
      refuseMerged(source, plan, taken)
      return [...source.notices, ...rows.notices, ...texts.notices(), ...sheetNotices, ...images.notices()]
    },
  }
}
