// Images on their way into the ledger: each row gets the one that it names, or is refused, and images that nobody names are said.

import type { PipelineSettings } from '#config/schema.ts'
import type { ReadImage } from '#src/ledger/images.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import type { ColumnPlan } from '#src/recipients/column-plan.ts'
import { imageColumns, likelyImageColumns, namesImage } from '#src/recipients/image-column.ts'
import { textInFormula } from '#src/recipients/text-formula.ts'
import { violation } from '#src/recipients/violation.ts'
import { baseName } from '#src/sources/archive/sort-entries.ts'
import { columnLetters } from '#src/sources/column-letters.ts'
import type { Source, SourceImage, SourceImages, SourceRow } from '#src/sources/source.ts'
import { foldName } from '#src/sources/zip/check-entries.ts'
import { ImagesInFile } from './images-in-file.ts'
import { listColumns } from './list-columns.ts'
import { refusedRow } from './refused-row.ts'
import { PlanError } from './row-check.ts'

export interface ImageCheck {
  /** The staged row with the name of its image, or refused because it has none. */
  row(source: SourceRow, staged: StagedRow): StagedRow
  /** @throws what reading the source throws */
  read: ReadImage
  /** Whether images travel with the rows of this file. */
  travels: boolean
  /** The title of the column that names them, where they travel. */
  column: string | null
  /** To be asked after the last row. */
  notices(): string[]
}

/**
 * With an image column in force every row must name an image that is there: whoever was sent without a photo has a credential without one,
 * and nobody can take that back. For the same reason images that no column names refuse the file, and a row that names an image is
 * refused when none came. Otherwise rows pass as they are.
 * @param plan which column fills which field: one that does is no column of images in a file that came without any
 * @throws PlanError when the column of the images cannot be told
 */
export function openImageCheck(
  batch: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  source: Pick<Source, 'header' | 'format' | 'images'>,
  plan: ColumnPlan = [],
): ImageCheck {
  const { header, format, images } = source
  const index = columnOf(batch, header, images)
  const byName = new Map(images?.list.map((image) => [foldName(baseName(image.name)), image]))
  const people = new ImagesInFile(byName.values())
  const unsent = batch.mode === 'upload' && index === null ? columnsBesides(header, plan) : []
  const refuse = (source: SourceRow, staged: StagedRow, at: number, given: string) => {
    const letters = format === 'xlsx' ? columnLetters(at) : undefined
    const breach = { rule: 'image' as const, ...whatIsMissing(given, images !== null) }
    const place = { row: source.row, column: header[at] ?? '', letters, field: '' }
    return refusedRow(staged, [violation(place, given, breach)])
  }
  const cellAt = (source: SourceRow, at: number) => textInFormula(source.cells[at]?.trim() ?? '')

  return {
    travels: index !== null,
    column: index === null ? null : (header[index] ?? ''),
    row(source, staged) {
      if (index === null) {
        const at = unsent.find((each) => namesImage(header[each] ?? '', cellAt(source, each)))
        return at === undefined || staged.violations ? staged : refuse(source, staged, at, cellAt(source, at))
      }
      const given = cellAt(source, index)
      const image = given === '' ? undefined : byName.get(foldName(baseName(given)))
      // A row that is refused for something else names its image too.
      if (image !== undefined) people.add(image, staged)
      if (staged.violations) return staged
      return image === undefined ? refuse(source, staged, index, given) : { ...staged, image: image.name }
    },
    async read(name) {
      const { kind } = byName.get(foldName(baseName(name))) as SourceImage
      return { type: kind, bytes: await (images as SourceImages).read(name) }
    },
    notices: () => (batch.mode === 'json' ? noticeOfData(byName.size) : people.notices()),
  }
}

/** The columns about images that fill no field: in a file without images, what they hold would be lost in silence. */
function columnsBesides(header: readonly string[], plan: ColumnPlan): number[] {
  const used = new Set(plan.map(({ source }) => (source.kind === 'column' ? source.index : -1)))
  return imageColumns(header).filter((index) => !used.has(index))
}

function columnOf(
  { mode, imageColumn }: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  header: readonly string[],
  sent: SourceImages | null,
): number | null {
  if (mode !== 'upload' || (imageColumn === undefined && sent === null)) return null
  const found = imageColumn === undefined ? likelyImageColumns(header) : imageColumns(header, imageColumn)
  if (found.length > 1 && imageColumn === undefined)
    throw new PlanError([
      `More than one column may name the images: ${listColumns(found.map((index) => header[index] ?? ''))}. Name the right one as batch.imageColumn.`,
    ])
  if (found.length === 0 && imageColumn !== undefined)
    throw new PlanError([
      `batch.imageColumn names the column “${imageColumn}”, and the file has no such column. It has: ${listColumns(header)}.`,
    ])
  const [index] = found
  const images = sent?.list.length ?? 0
  if (index === undefined && images > 0)
    throw new PlanError([
      `${images === 1 ? '1 image came' : `${images} images came`} with the file, and no column says whose ${images === 1 ? 'it is' : 'they are'}. Name the column that does as batch.imageColumn, or send the list without images. It has: ${listColumns(header)}.`,
    ])
  return index ?? null
}

function whatIsMissing(given: string, inZip: boolean): { wrong: string; remedy: string } {
  if (given === '')
    return { wrong: 'but every row needs its image', remedy: 'Write the name of the image there, such as 17.jpg.' }
  if (!inZip)
    return {
      wrong: 'and the file came without images',
      remedy:
        'Send one ZIP that holds this file and the images that it names, or empty the column if no image is meant.',
    }
  return {
    wrong: 'and the ZIP holds no readable image of that name',
    remedy: 'Put the image (jpg, jpeg or png) into the ZIP, or correct its name, with its ending.',
  }
}

function noticeOfData(images: number): string[] {
  if (images === 0) return []
  const many = images === 1 ? '1 image is' : `${images} images are`
  return [`${many} in the ZIP and will not be sent: this pipeline sends data only (batch.mode json).`]
}
