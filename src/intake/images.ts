// Images on their way into the ledger: each row gets the one that it names, or is refused, and images that nobody names are said.

import type { PipelineSettings } from '#config/schema.ts'
import type { ReadImage } from '#src/ledger/images.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import { imageColumns } from '#src/recipients/image-column.ts'
import { violation } from '#src/recipients/violation.ts'
import { listNames } from '#src/sources/archive/list-names.ts'
import { baseName } from '#src/sources/archive/sort-entries.ts'
import { columnLetters } from '#src/sources/column-letters.ts'
import type { Source, SourceImage, SourceImages, SourceRow } from '#src/sources/source.ts'
import { foldName } from '#src/sources/zip/check-entries.ts'
import { refusedRow } from './refused-row.ts'
import { PlanError } from './row-check.ts'

export interface ImageCheck {
  /** The staged row with the name of its image, or refused because it has none. */
  row(source: SourceRow, staged: StagedRow): StagedRow
  /** @throws what reading the source throws */
  read: ReadImage
  /** Whether images travel with the rows of this file. */
  travels: boolean
  /** To be asked after the last row. */
  notices(): string[]
}

/**
 * Without an image column in force rows pass as they are. With one every row must name an image that is there: whoever was sent without a
 * photo has a credential without one, and nobody can take that back.
 * @throws PlanError when the column of the images cannot be told
 */
export function openImageCheck(
  batch: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  source: Pick<Source, 'header' | 'format' | 'images'>,
): ImageCheck {
  const { header, format, images } = source
  const index = columnOf(batch, header, images)
  const byName = new Map(images?.list.map((image) => [foldName(baseName(image.name)), image]))
  const unnamed = new Set(byName.keys())

  return {
    travels: index !== null,
    row(source, staged) {
      if (index === null) return staged
      const given = source.cells[index]?.trim() ?? ''
      const image = given === '' ? undefined : byName.get(foldName(baseName(given)))
      // A row that is refused for something else names its image too.
      if (image !== undefined) unnamed.delete(foldName(image.name))
      if (staged.violations) return staged
      if (image !== undefined) return { ...staged, image: image.name }
      const column = header[index] ?? ''
      const letters = format === 'xlsx' ? columnLetters(index) : undefined
      const breach = { rule: 'image' as const, ...whatIsMissing(given, images !== null) }
      return refusedRow(staged, [violation({ row: source.row, column, letters, field: '' }, given, breach)])
    },
    async read(name) {
      const { kind } = byName.get(foldName(baseName(name))) as SourceImage
      return { type: kind, bytes: await (images as SourceImages).read(name) }
    },
    notices: () =>
      noticesAbout(
        [...unnamed].map((key) => byName.get(key)?.name ?? key),
        index === null,
        batch.mode,
      ),
  }
}

function columnOf(
  { mode, imageColumn }: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  header: readonly string[],
  images: SourceImages | null,
): number | null {
  if (mode !== 'upload' || (imageColumn === undefined && images === null)) return null
  const found = imageColumns(header, imageColumn)
  if (found.length > 1 && imageColumn === undefined)
    throw new PlanError([
      `More than one column may name the images: ${found.map((index) => header[index]).join(', ')}. Name the right one as batch.imageColumn.`,
    ])
  if (found.length === 0 && imageColumn !== undefined)
    throw new PlanError([
      `batch.imageColumn names the column “${imageColumn}”, and the file has no such column. It has: ${header.join(', ')}.`,
    ])
  return found[0] ?? null
}

function whatIsMissing(given: string, inZip: boolean): { wrong: string; remedy: string } {
  if (given === '')
    return { wrong: 'but every row needs its image', remedy: 'Write the name of the image there, such as 17.jpg.' }
  if (!inZip)
    return {
      wrong: 'and the file came without images',
      remedy: 'Send one ZIP that holds this file and the images that it names.',
    }
  return {
    wrong: 'and the ZIP holds no readable image of that name',
    remedy: 'Put the image (jpg, jpeg or png) into the ZIP, or correct its name, with its ending.',
  }
}

function noticesAbout(unnamed: readonly string[], noColumn: boolean, mode: 'json' | 'upload'): string[] {
  if (unnamed.length === 0) return []
  const many = unnamed.length === 1 ? '1 image is' : `${unnamed.length} images are`
  if (mode === 'json')
    return [`${many} in the ZIP and will not be sent: this pipeline sends data only (batch.mode json).`]
  if (noColumn)
    return [
      `${many} in the ZIP and will not be sent: no column names them. Name the one that does as batch.imageColumn.`,
    ]
  return [`${many} named by no row and will not be sent: ${listNames(unnamed)}.`]
}
