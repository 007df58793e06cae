// Custom columns of a course's gradebook: finds or creates columns by title, writes a learner's entries, and reads them
// back. Calls the Canvas API.

import { z } from 'zod'
import { type CanvasCall, idShape, pathSegment } from './call.ts'

export interface ColumnEntry {
  /** The course, as the pipeline's settings name it. */
  course: string
  /** The learner's Canvas id. */
  learnerId: string
  /** Column title to text; an empty text clears the entry. */
  cells: Readonly<Record<string, string>>
}

export type ColumnsWritten =
  /** The values read back equal the values written. */
  | { kind: 'verified' }
  /** Canvas reported success, but the columns with these titles show something else. */
  | { kind: 'differs'; titles: string[] }

const columnShape = z.object({ id: idShape, title: z.string() })
const cellShape = z.object({ user_id: idShape, content: z.string().nullish() })

const columnsLabel = "the gradebook's custom columns"
const columnsPath = (course: string) => `courses/${pathSegment(course)}/custom_gradebook_columns`

/**
 * Writes cells and reads them back. For a text that is too long (more than 255 characters), Canvas returns HTTP 200
 * with the error in the body, so only the values read back count. Canvas has no call for the entry of a single learner,
 * so the column is read until the learner appears.
 * @throws CanvasError `record` for a learner who is no longer a student of the course
 */
export async function writeColumns(
  call: CanvasCall,
  { course, learnerId, cells }: ColumnEntry,
): Promise<ColumnsWritten> {
  const columns = await findOrCreate(call, course, cells)
  const titles: string[] = []
  for (const [title, content] of Object.entries(cells)) {
    const column = columns.get(title)
    const shownText = column === undefined ? '' : await writeEntry(call, { course, column, learnerId, content })
    if (shownText !== content) titles.push(title)
  }
  return titles.length === 0 ? { kind: 'verified' } : { kind: 'differs', titles }
}

/** The titles of the course's custom columns. */
export async function columnTitles(call: CanvasCall, course: string): Promise<string[]> {
  return [...(await columnsByTitle(call, course)).keys()]
}

/** Finds the columns, and creates the missing ones, except those that would stay empty. */
async function findOrCreate(
  call: CanvasCall,
  course: string,
  cells: ColumnEntry['cells'],
): Promise<ReadonlyMap<string, string>> {
  const existing = await columnsByTitle(call, course)
  const missing = Object.keys(cells).filter((title) => !existing.has(title) && cells[title] !== '')
  // `read_only` columns can be written through the API only.
  for (const title of missing)
    await call.write(columnsLabel, 'POST', columnsPath(course), { column: { title, read_only: true } }, z.unknown())
  // Two processes may have created the same column concurrently. Reading again makes both continue with the oldest.
  return missing.length === 0 ? existing : columnsByTitle(call, course)
}

/** Column ids by title. When several columns have the same title, the oldest one counts. */
async function columnsByTitle(call: CanvasCall, course: string): Promise<Map<string, string>> {
  const columns: z.infer<typeof columnShape>[] = []
  for await (const page of call.list(columnsLabel, `${columnsPath(course)}?include_hidden=true`, columnShape))
    columns.push(...page)
  const oldestLast = columns.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
  return new Map(oldestLast.map(({ title, id }) => [title, id]))
}

/** @returns what the learner's entry shows afterwards */
async function writeEntry(
  call: CanvasCall,
  { course, column, learnerId, content }: { course: string; column: string; learnerId: string; content: string },
): Promise<string> {
  const path = `${columnsPath(course)}/${column}/data`
  const body = { column_data: { content } }
  await call.write("the learner's entry in the gradebook", 'PUT', `${path}/${learnerId}`, body, z.unknown())
  for await (const page of call.list('the entries of a column', `${path}?include_hidden=true`, cellShape)) {
    const own = page.find(({ user_id }) => user_id === learnerId)
    if (own) return own.content ?? ''
  }
  return ''
}
