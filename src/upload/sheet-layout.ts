// Where each value goes in the sheet of an upload: the sample sheet of the course decides columns and order, not we. Pure.

import { imageColumns } from '#src/recipients/image-column.ts'
import { looseName } from '#src/recipients/loose-name.ts'

/** What is to stand in the sheet. */
export interface SheetContent {
  /** Display names of the fields that recipients have. */
  fields: readonly string[]
  /** Null where no images travel; else with the name that the pipeline gives the column, if it gives one. */
  images: { column?: string | undefined } | null
  /** Where the sheet asks for it. */
  courseNumber: string | null
}

export interface SheetLayout {
  columns: readonly string[]
  /** Positions by display name. */
  fields: ReadonlyMap<string, number>
  image: number | null
  courseNumber: { at: number; text: string } | null
}

export interface LaidOut {
  /** To be used only when there are no faults. */
  layout: SheetLayout
  /** Sentences about what has no place in the sheet. */
  faults: string[]
  /** The fields among that. */
  homeless: string[]
  /** Columns that the sheet marks as required (with a trailing asterisk) and that nothing fills. */
  unfilled: string[]
}

const required = /\*\s*$/

/** Finds each value its column by name, ignoring case, spaces, underscores and a trailing asterisk. */
export function layOut(columns: readonly string[], content: SheetContent): LaidOut {
  const faults: string[] = []
  const homeless: string[] = []
  const fields = new Map<string, number>()
  for (const field of content.fields) {
    const at = columnOf(columns, field)
    if (typeof at === 'number') fields.set(field, at)
    else {
      homeless.push(field)
      faults.push(noPlace(`the field “${field}”`, at, columns))
    }
  }
  const image = content.images && imageColumnOf(columns, content.images.column)
  if (Array.isArray(image)) faults.push(noPlace("each person's image", image, columns))
  const numberAt = columnOf(columns, 'Course Number')
  const { courseNumber: text } = content
  const isField = typeof numberAt === 'number' && [...fields.values()].includes(numberAt)
  const courseNumber = typeof numberAt === 'number' && text !== null && !isField ? { at: numberAt, text } : null
  const layout = { columns, fields, image: typeof image === 'number' ? image : null, courseNumber }
  const filled = new Set([...fields.values(), layout.image, courseNumber?.at])
  return { layout, faults, homeless, unfilled: columns.filter((title, at) => required.test(title) && !filled.has(at)) }
}

/** Whether the sheet has a column for the course's number, by which the service tells courses apart in bulk uploads. */
export function wantsCourseNumber(columns: readonly string[]): boolean {
  return typeof columnOf(columns, 'Course Number') === 'number'
}

/** The position, or the positions of all that could be meant. */
function columnOf(columns: readonly string[], name: string): number | number[] {
  const exact = columns.indexOf(name)
  if (exact >= 0) return exact
  const found = columns.flatMap((title, at) => (plain(title) === plain(name) ? [at] : []))
  return found.length === 1 ? (found[0] as number) : found
}

/** Whether the sheet has a column for images, as `layOut` would find it; several are its fault to tell. */
export function hasImageColumn(columns: readonly string[], wanted: string | undefined): boolean {
  const found = imageColumnOf(columns, wanted)
  return typeof found === 'number' || found.length > 0
}

/** The column that the pipeline names, for the service's may be called the same; else the one that is about images by its name. */
function imageColumnOf(columns: readonly string[], wanted: string | undefined): number | number[] {
  const titles = columns.map((title) => title.replace(required, ''))
  const named = wanted === undefined ? [] : imageColumns(titles, wanted)
  const found = named.length > 0 ? named : imageColumns(titles)
  return found.length === 1 ? (found[0] as number) : found
}

function noPlace(what: string, found: readonly number[], columns: readonly string[]): string {
  const why =
    found.length === 0
      ? `has no column for ${what}. It has: ${columns.filter(Boolean).join(', ')}`
      : `has more than one column for ${what}: ${found.map((at) => columns[at]).join(', ')}`
  return `The sample sheet of the course ${why}.`
}

function plain(title: string): string {
  return looseName(title.replace(required, ''))
}
