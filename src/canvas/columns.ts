// Custom columns of a course's gradebook: found or made by their titles, written for one learner, and read back.

import { z } from 'zod'
import { type Call, idShape, segment } from './call.ts'

export interface ColumnEntry {
  /** The course, as a pipeline names it. */
  course: string
  /** Canvas's id of the learner. */
  learnerId: string
  /** Title of the column to text; an empty text takes away what stands there. */
  cells: Readonly<Record<string, string>>
}

export type Written =
  /** What was read back is what was to be written. */
  | { kind: 'verified' }
  /** Canvas said yes, and the columns of these titles show something else. */
  | { kind: 'differs'; titles: string[] }

const columnShape = z.object({ id: idShape, title: z.string() })
const cellShape = z.object({ user_id: idShape, content: z.string().nullish() })

const what = "the gradebook's custom columns"
const columnsOf = (course: string) => `courses/${segment(course)}/custom_gradebook_columns`

/**
 * Canvas answers a text that is too long (255 characters) with HTTP 200 and the fault in the body, so nothing is believed but what is read back. There is
 * no call for the entry of one learner: the column is read until the learner shows. Throws a CanvasError `record` for somebody who is no
 * student of the course any more.
 */
export async function writeColumns(call: Call, { course, learnerId, cells }: ColumnEntry): Promise<Written> {
  const columns = await findOrMake(call, course, cells)
  const titles: string[] = []
  for (const [title, content] of Object.entries(cells)) {
    const column = columns.get(title)
    const shown = column === undefined ? '' : await writeOne(call, { course, column, learnerId, content })
    if (shown !== content) titles.push(title)
  }
  return titles.length === 0 ? { kind: 'verified' } : { kind: 'differs', titles }
}

/** Titles of the columns that the course has. */
export async function columnTitles(call: Call, course: string): Promise<string[]> {
  return [...(await columnsByTitle(call, course)).keys()]
}

/** A column that would stay empty is not made. */
async function findOrMake(
  call: Call,
  course: string,
  cells: ColumnEntry['cells'],
): Promise<ReadonlyMap<string, string>> {
  const there = await columnsByTitle(call, course)
  const missing = Object.keys(cells).filter((title) => !there.has(title) && cells[title] !== '')
  // Nobody but a program then writes into it.
  for (const title of missing)
    await call.write(what, 'POST', columnsOf(course), { column: { title, read_only: true } }, z.unknown())
  // Two processes may have made one each: both go on with the same.
  return missing.length === 0 ? there : columnsByTitle(call, course)
}

/** Of several with one title the oldest. */
async function columnsByTitle(call: Call, course: string): Promise<Map<string, string>> {
  const columns: z.infer<typeof columnShape>[] = []
  for await (const page of call.list(what, `${columnsOf(course)}?include_hidden=true`, columnShape))
    columns.push(...page)
  const oldestLast = columns.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
  return new Map(oldestLast.map(({ title, id }) => [title, id]))
}

/** @returns what the learner's entry shows afterwards */
async function writeOne(
  call: Call,
  { course, column, learnerId, content }: { course: string; column: string; learnerId: string; content: string },
): Promise<string> {
  const path = `${columnsOf(course)}/${column}/data`
  const body = { column_data: { content } }
  await call.write("the learner's place in the gradebook", 'PUT', `${path}/${learnerId}`, body, z.unknown())
  for await (const page of call.list('the entries of a column', `${path}?include_hidden=true`, cellShape)) {
    const own = page.find(({ user_id }) => user_id === learnerId)
    if (own) return own.content ?? ''
  }
  return ''
}
