// Custom columns of a course's gradebook: finds or creates columns by title, and writes a learner's entries. Calls the
// Canvas API.

import { z } from 'zod'
import type { Clock } from '#src/platform/time/clock.ts'
import { type CanvasCall, idShape, pathSegment } from './call.ts'
import { CanvasError } from './canvas-error.ts'

export interface ColumnEntry {
  /** The course, as the pipeline's settings name it. */
  course: string
  /** The learner's Canvas id. */
  learnerId: string
  /** Column title to text; an empty string clears the entry. */
  cells: Readonly<Record<string, string>>
}

export type ColumnsWritten =
  /** The entries that Canvas returned equal the values written. */
  | { kind: 'verified' }
  /** Canvas reported success, but the columns with these titles contain something else. */
  | { kind: 'differs'; titles: string[] }

/** The ids of columns. */
type ColumnsByTitle = ReadonlyMap<string, string>

const columnShape = z.object({
  id: idShape,
  title: z.string(),
  teacher_notes: z.boolean().nullish(),
})
const entryShape = z.object({ user_id: idShape.nullish(), content: z.unknown().optional() })

const columnsLabel = "the gradebook's custom columns"
const columnsPath = (course: string) => `courses/${pathSegment(course)}/custom_gradebook_columns`

/** A column may be renamed or replaced in Canvas, so what is known of a course is used only for this long. */
const maxAgeMs = 15 * 60_000

export function openGradebookColumns(call: CanvasCall, clock: Pick<Clock, 'monotonicMs'>) {
  const courses = new Map<string, { columns: ColumnsByTitle; readAtMs: number }>()

  /**
   * The course's columns by title. When several have the same title, the oldest one counts. The teacher's own notes are
   * never written to.
   */
  async function read(course: string): Promise<ColumnsByTitle> {
    const listed: z.infer<typeof columnShape>[] = []
    for await (const page of call.list(columnsLabel, `${columnsPath(course)}?include_hidden=true`, columnShape))
      listed.push(...page.filter(({ teacher_notes }) => !teacher_notes))
    const oldestLast = listed.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
    const columns = new Map(oldestLast.map(({ title, id }) => [title, id]))
    courses.set(course, { columns, readAtMs: clock.monotonicMs() })
    return columns
  }

  /** Finds the columns, and creates the missing ones, except those that would stay empty. */
  async function findOrCreate(course: string, cells: ColumnEntry['cells']): Promise<ColumnsByTitle> {
    const missingIn = (columns: ColumnsByTitle) =>
      Object.keys(cells).filter((title) => !columns.has(title) && cells[title] !== '')
    const known = courses.get(course)
    if (known && clock.monotonicMs() - known.readAtMs < maxAgeMs && missingIn(known.columns).length === 0)
      return known.columns
    const existing = await read(course)
    const missing = missingIn(existing)
    // `read_only` columns can be written through the API only.
    for (const title of missing)
      await call.write(columnsLabel, 'POST', columnsPath(course), { column: { title, read_only: true } }, z.unknown())
    // Two processes may have created the same column concurrently. Reading again makes both continue with the oldest.
    return missing.length === 0 ? existing : read(course)
  }

  async function writeCells({ course, learnerId, cells }: ColumnEntry): Promise<ColumnsWritten> {
    const columns = await findOrCreate(course, cells)
    const titles: string[] = []
    for (const [title, content] of Object.entries(cells)) {
      const column = columns.get(title)
      const path = `${columnsPath(course)}/${column}/data/${learnerId}`
      const body = { column_data: { content } }
      // A column that stays empty need not exist.
      const entry = column
        ? await call.write("the learner's entry in the gradebook", 'PUT', path, body, entryShape)
        : {}
      if ((entry.content ?? '') !== content) titles.push(title)
    }
    return titles.length === 0 ? { kind: 'verified' } : { kind: 'differs', titles }
  }

  return {
    read,
    /**
     * Writes cells. Canvas answers each write with the entry; if the text is too long (more than 255 characters), with
     * HTTP 200 and the error in its place.
     * @throws CanvasError `record` for a learner who is no longer in the course
     */
    async write(entry: ColumnEntry): Promise<ColumnsWritten> {
      const isKnown = courses.has(entry.course)
      try {
        return await writeCells(entry)
      } catch (error) {
        // A known column may have been deleted. If the learner is gone instead, this ends in the same error.
        if (!isKnown || !(error instanceof CanvasError) || error.status !== 404) throw error
        courses.delete(entry.course)
        return writeCells(entry)
      }
    },
  }
}
