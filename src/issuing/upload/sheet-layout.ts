// Assigns each value to a column of the upload sheet. The columns and their order come from the course's sample sheet.
// Pure.

import { imageColumns } from '#src/domain/recipient/image-column.ts'
import { looseName } from '#src/domain/recipient/loose-name.ts'

/** The data for which the sheet must have columns. */
export interface SheetContent {
  /** The display names of the fields that recipients have. */
  fields: readonly string[]
  /** Null if there are no images; otherwise with the column name configured in the pipeline, if any. */
  images: { column?: string | undefined } | null
  /** Used if the sheet has a column for it. */
  courseNumber: string | null
}

export interface SheetLayout {
  columns: readonly string[]
  /** The column positions of the fields, by display name. */
  fields: ReadonlyMap<string, number>
  image: number | null
  courseNumber: { column: number; text: string } | null
}

export interface LayoutResult {
  /** Valid only if there are no faults. */
  layout: SheetLayout
  /** One sentence for each field that has no column or several, and for the images. */
  faults: string[]
}

/** Sheets mark required columns with an asterisk. */
const requiredMark = /\*\s*$/

/** Finds the column of each value by name, ignoring case, spaces, underscores and a trailing asterisk. */
export function layOut(columns: readonly string[], content: SheetContent): LayoutResult {
  const faults: string[] = []
  const fields = new Map<string, number>()
  for (const field of content.fields) {
    const column = columnOf(columns, field)
    if (typeof column === 'number') fields.set(field, column)
    else faults.push(noColumnFault(`the field “${field}”`, column, columns))
  }
  const image = content.images && imageColumnOf(columns, content.images.column)
  if (Array.isArray(image)) faults.push(noColumnFault("each person's image", image, columns))
  const numberColumn = columnOf(columns, 'Course Number')
  const { courseNumber: text } = content
  const isField = typeof numberColumn === 'number' && [...fields.values()].includes(numberColumn)
  const courseNumber =
    typeof numberColumn === 'number' && text !== null && !isField ? { column: numberColumn, text } : null
  const layout = { columns, fields, image: typeof image === 'number' ? image : null, courseNumber }
  return { layout, faults }
}

/** Checks whether there is a column for the course number, which identifies the course in a bulk upload. */
export function wantsCourseNumber(columns: readonly string[]): boolean {
  return typeof columnOf(columns, 'Course Number') === 'number'
}

/** Returns the position if exactly one column matches; otherwise the positions of all matching columns. */
function columnOf(columns: readonly string[], name: string): number | number[] {
  const exact = columns.indexOf(name)
  if (exact >= 0) return exact
  const found = columns.flatMap((title, at) => (plain(title) === plain(name) ? [at] : []))
  return found.length === 1 ? (found[0] as number) : found
}

/**
 * Checks whether `layOut` would find an image column. Several matching columns count too; `layOut` reports them as a
 * fault.
 */
export function hasImageColumn(columns: readonly string[], wanted: string | undefined): boolean {
  const found = imageColumnOf(columns, wanted)
  return typeof found === 'number' || found.length > 0
}

/**
 * Returns the column that the pipeline names, if the sheet has a column of that name; otherwise the column whose title
 * is about images.
 */
function imageColumnOf(columns: readonly string[], wanted: string | undefined): number | number[] {
  const titles = columns.map((title) => title.replace(requiredMark, ''))
  const namedColumns = wanted === undefined ? [] : imageColumns(titles, wanted)
  const found = namedColumns.length > 0 ? namedColumns : imageColumns(titles)
  return found.length === 1 ? (found[0] as number) : found
}

function noColumnFault(content: string, found: readonly number[], columns: readonly string[]): string {
  const why =
    found.length === 0
      ? `has no column for ${content}. It has: ${columns.filter(Boolean).join(', ')}`
      : `has more than one column for ${content}: ${found.map((at) => columns[at]).join(', ')}`
  return `The sample sheet of the course ${why}.`
}

function plain(title: string): string {
  return looseName(title.replace(requiredMark, ''))
}
