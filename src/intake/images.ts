// Images on their way into the ledger: each row gets the one that it names, or is refused, and images that nobody names are said.

import type { PipelineSettings } from '#config/schema.ts'
import type { ReadImage } from '#src/ledger/images.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import { imageColumns } from '#src/recipients/image-column.ts'
import { violation } from '#src/recipients/violation.ts'
import { columnLetters } from '#src/sources/column-letters.ts'
import type { Source, SourceImages, SourceRow } from '#src/sources/source.ts'
import { typeOfImage } from './image-type.ts'
import { PlanError } from './row-check.ts'

export interface ImageCheck {
  /** The staged row with the name of its image, or refused because it has none. */
  row(source: SourceRow, staged: StagedRow): StagedRow
  /** @throws PlanError for an image whose content is neither JPEG nor PNG; what reading the source throws */
  read: ReadImage
  /** Whether images travel with the rows of this file. */
  travels: boolean
  /** To be asked after the last row. */
  notices(): string[]
}

const mostNamed = 5

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
  const byName = new Map(images?.list.map(({ name }) => [sameName(name), name]))
  const unnamed = new Set(byName.values())

  return {
    travels: index !== null,
    row(source, staged) {
      if (index === null) return staged
      const given = source.cells[index]?.trim() ?? ''
      const image = given === '' ? undefined : byName.get(sameName(given))
      // A row that is refused for something else names its image too.
      if (image !== undefined) unnamed.delete(image)
      if (staged.violations) return staged
      if (image !== undefined) return { ...staged, image }
      const column = header[index] ?? ''
      const letters = format === 'xlsx' ? columnLetters(index) : undefined
      const breach = { rule: 'image' as const, ...whatIsMissing(given, images !== null) }
      const violations = [violation({ row: source.row, column, letters, field: '' }, given, breach)]
      return { ...staged, violations, recipient: null, issuanceKey: null, identityHash: null, matchHashes: null }
    },
    async read(name) {
      const bytes = await (images as SourceImages).read(name)
      const type = typeOfImage(bytes)
      if (type === null)
        throw new PlanError([`The image ${name} is neither a JPEG nor a PNG. Export it anew, and send the ZIP again.`])
      return { bytes, type }
    },
    notices: () => noticesAbout([...unnamed], index === null, batch.mode),
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
  const rest = unnamed.length > mostNamed ? ', …' : ''
  return [`${many} named by no row and will not be sent: ${unnamed.slice(0, mostNamed).join(', ')}${rest}.`]
}

// Folders are dropped on both sides, as the reader of the ZIP does; composed and decomposed letters are the same (macOS writes the latter).
function sameName(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? '').normalize('NFC').toLowerCase()
}
