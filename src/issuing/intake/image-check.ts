// Assigns an image to each row, or rejects the row if its image is missing. Also reports images that no row names, and
// images that more than one person names.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import { bytesIn, codePages } from '#src/domain/recipient/damage/code-pages.ts'
import { imageColumns, likelyImageColumns, namesImage } from '#src/domain/recipient/image-column.ts'
import { textInFormula } from '#src/domain/recipient/text-formula.ts'
import { violation } from '#src/domain/recipient/violation.ts'
import type { Source, SourceImage, SourceImages, SourceRow } from '#src/files/tables/source.ts'
import { foldName } from '#src/files/tables/zip/check-entries.ts'
import { listNames } from '#src/files/tables/zip-source/gather-images.ts'
import { baseName } from '#src/files/tables/zip-source/sort-entries.ts'
import type { ReadImage } from '#src/ledger/runs/images.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { listColumns } from './list-columns.ts'
import { PlanError, refusedRow } from './row-check.ts'

export interface ImageCheck {
  /** Returns the staged row with the name of its image, or as rejected because its image is missing. */
  row(source: SourceRow, staged: StagedRow): StagedRow
  /**
   * Reads an image by its name.
   * @throws any error from reading the source
   */
  read: ReadImage
  /** Whether images are sent with this file's rows. */
  sendsImages: boolean
  /** The title of the image column, if images are sent. */
  column: string | null
  /** Must be called after the last row. */
  notices(): string[]
}

/**
 * If there is an image column, every row must name an existing image, because a credential that was issued without a
 * photo can only be revoked. For the same reason a file with images but without an image column is refused, and a row
 * that names an image is rejected if the file has no images. Otherwise rows are returned unchanged.
 * @param plan which column fills which field. In a file without images, a column that fills a field is not an image
 * column
 * @throws PlanError if the image column is ambiguous or missing
 */
export function openImageCheck(
  batch: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  source: Pick<Source, 'header' | 'images' | 'pictures'>,
  plan: ColumnPlan = [],
): ImageCheck {
  const { header, images } = source
  const index = columnOf(batch, header, images)
  const byName = new Map(images?.list.map((image) => [foldName(baseName(image.name)), image]))
  const byBytes = new Map(images?.list.flatMap((image) => (image.nameBytes ? [[image.nameBytes, image]] : [])))
  const usage = new ImagesInFile(byName.values())
  const unfilledColumns = index === null ? imageColumnsOutsidePlan(header, plan) : []
  const unsentColumns = batch.mode === 'upload' ? unfilledColumns : []
  // A picture may be only a logo, but in a file that has a column for photos, pictures are probably the photos.
  const pictures = images === null && unfilledColumns.length > 0 ? (source.pictures ?? 0) : 0
  if (pictures > 0 && batch.mode === 'upload') throw new PlanError([picturesInSheet(pictures, header, unfilledColumns)])
  const refuse = (source: SourceRow, staged: StagedRow, column: number, imageName: string) => {
    const breach = { rule: 'image' as const, ...whatIsMissing(imageName, images !== null) }
    const location = { row: source.row, column: header[column] ?? '', field: '' }
    return refusedRow(staged, [violation(location, imageName, breach)])
  }
  const cellAt = (source: SourceRow, column: number) => textInFormula(source.cells[column]?.trim() ?? '')

  return {
    sendsImages: index !== null,
    column: index === null ? null : (header[index] ?? ''),
    row(source, staged) {
      if (index === null) {
        const column = unsentColumns.find((unsentColumn) =>
          namesImage(header[unsentColumn] ?? '', cellAt(source, unsentColumn)),
        )
        return column === undefined || staged.violations
          ? staged
          : refuse(source, staged, column, cellAt(source, column))
      }
      const imageName = cellAt(source, index)
      const image = imageName === '' ? undefined : imageCalled(baseName(imageName), byName, byBytes)
      // The image named by a row that was rejected for another reason also counts as named.
      if (image !== undefined) usage.add(image, staged)
      if (staged.violations) return staged
      return image === undefined ? refuse(source, staged, index, imageName) : { ...staged, image: image.name }
    },
    async read(name) {
      const { kind } = byName.get(foldName(baseName(name))) as SourceImage
      return { type: kind, bytes: await (images as SourceImages).read(name) }
    },
    notices: () => (batch.mode === 'json' ? unsentImagesNotice(byName.size, pictures) : usage.notices()),
  }
}

/** Finds the image by its name, or by the bytes of its name in the code page of the program that created the ZIP. */
function imageCalled(
  name: string,
  byName: ReadonlyMap<string, SourceImage>,
  byBytes: ReadonlyMap<string, SourceImage>,
): SourceImage | undefined {
  const declared = byName.get(foldName(name))
  if (declared || byBytes.size === 0) return declared
  const meant = codePages().flatMap(
    (page) => byBytes.get(Buffer.from(bytesIn(page, name) ?? []).toString('latin1')) ?? [],
  )
  return new Set(meant).size === 1 ? meant[0] : undefined
}

/** Finds image columns that fill no field. In a file without images, their content would be lost without a notice. */
function imageColumnsOutsidePlan(header: readonly string[], plan: ColumnPlan): number[] {
  const used = new Set(plan.map(({ source }) => (source.kind === 'column' ? source.index : -1)))
  return imageColumns(header).filter((index) => !used.has(index))
}

function columnOf(
  { mode, imageColumn }: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  header: readonly string[],
  images: SourceImages | null,
): number | null {
  if (mode !== 'upload' || (imageColumn === undefined && images === null)) return null
  const found = imageColumn === undefined ? likelyImageColumns(header) : imageColumns(header, imageColumn)
  if (found.length > 1 && imageColumn === undefined)
    throw new PlanError([
      `More than one column may name the images: ${listColumns(found.map((index) => header[index] ?? ''))}. Set batch.imageColumn to the right one.`,
    ])
  if (found.length === 0 && imageColumn !== undefined)
    throw new PlanError([
      `batch.imageColumn names the column “${imageColumn}”, and the file has no such column. The columns of the file are: ${listColumns(header)}.`,
    ])
  const [index] = found
  const imageCount = images?.list.length ?? 0
  if (index === undefined && imageCount > 0)
    throw new PlanError([
      `${imageCount === 1 ? '1 image came' : `${imageCount} images came`} with the file, and no column says whose ${imageCount === 1 ? 'it is' : 'they are'}. Set batch.imageColumn to the column that names them, or send the list without images. The columns of the file are: ${listColumns(header)}.`,
    ])
  return index ?? null
}

function whatIsMissing(imageName: string, inZip: boolean): { wrong: string; remedy: string } {
  if (imageName === '')
    return {
      wrong: 'but every row needs its image',
      remedy: 'Write the name of the image in this cell, such as 17.jpg.',
    }
  if (!inZip)
    return {
      wrong: 'and the file came without images',
      remedy:
        'Send one ZIP that holds this file and the images that it names, or empty the column if no image should be sent.',
    }
  return {
    wrong: 'and the ZIP contains no readable image with that name',
    remedy:
      'Put the image (jpg, jpeg or png) into the ZIP, or correct the name in this cell, including the file extension.',
  }
}

function picturesInSheet(pictures: number, header: readonly string[], columns: number[]): string {
  const many = pictures === 1 ? '1 picture lies' : `${pictures} pictures lie`
  const names = listColumns(columns.map((index) => header[index] ?? ''))
  return `${many} over the cells of the sheet, which has a column for images: ${names}. Pictures in a sheet are not read. Send one ZIP that contains the list and the images, with the name of its image in each row; or remove the pictures from the sheet.`
}

function unsentImagesNotice(images: number, pictures: number): string[] {
  const count = images + pictures
  if (count === 0) return []
  const many = count === 1 ? '1 image is' : `${count} images are`
  const where = pictures > 0 ? 'sheet' : 'ZIP'
  return [`${many} in the ${where} and will not be sent: this pipeline sends data only (batch.mode json).`]
}

/** Finds images that no row names, and images that more than one person names, and reports them once for the file. */
class ImagesInFile {
  readonly #unnamed: Set<SourceImage>
  readonly #firstOf = new Map<SourceImage, { row: number; person: string }>()
  /** For each image that more than one person names, the rows of the first two people. */
  readonly #shared = new Map<SourceImage, [number, number]>()

  constructor(images: Iterable<SourceImage>) {
    this.#unnamed = new Set(images)
  }

  /**
   * Records that a row names an image. An image that is named only by rejected rows counts as named, but belongs to
   * no one.
   */
  add(image: SourceImage, { row, identityHash, violations }: StagedRow): void {
    this.#unnamed.delete(image)
    if (!identityHash || violations) return
    const person = identityHash.toString('base64')
    const first = this.#firstOf.get(image)
    if (!first) this.#firstOf.set(image, { row, person })
    else if (first.person !== person && !this.#shared.has(image)) this.#shared.set(image, [first.row, row])
  }

  notices(): string[] {
    const notices: string[] = []
    const [first] = this.#shared.values()
    if (first) {
      const names = listNames([...this.#shared.keys()].map(({ name }) => name))
      const many = this.#shared.size === 1 ? '1 image is' : `${this.#shared.size} images are`
      const rows = `${this.#shared.size === 1 ? '' : 'the first by '}rows ${first[0]} and ${first[1]}`
      notices.push(
        `${many} named by rows of more than one person, all of whom will get the same image: ${names} (${rows}). Correct the list if this is not intended.`,
      )
    }
    const unnamed = [...this.#unnamed].map(({ name }) => name)
    const many = unnamed.length === 1 ? '1 image is' : `${unnamed.length} images are`
    if (unnamed.length > 0) notices.push(`${many} not named by any row and will not be sent: ${listNames(unnamed)}.`)
    return notices
  }
}
