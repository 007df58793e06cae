// Looks up the upload sheet of a course in the service. The result is cached for an hour, because templates rarely
// change.

import { SourceError } from '#src/files/tables/source-error.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { hasImageColumn, wantsCourseNumber } from './sheet-layout.ts'

/** The part of the service client that this cache needs. */
export interface SampleSource {
  sampleSheet(course: string): Promise<{ bytes: Buffer }>
  sampleData(course: string): Promise<{ bytes: Buffer }>
  fieldList(course: string): Promise<readonly { displayName: string }[]>
  courseDetail(course: string): Promise<{ course_number: string | null }>
}

export interface UploadSheet {
  /** The header, exactly as the service expects it. */
  columns: readonly string[]
  /** Null if the header has no column for it. */
  courseNumber: string | null
  /** A notice for the user if the sample could not be used and the columns come from the field list; otherwise null. */
  notice: string | null
}

export interface SheetLayoutCache {
  /**
   * With `images`, also requests the sample with images if the plain sample has no column for them.
   * @throws ServiceUnreachableError and KeysRefusedError. The layout is then unknown, and nothing may be sent with a
   * guessed layout
   */
  sheetOf(course: string, images: { column?: string | undefined } | null): Promise<UploadSheet>
}

const cacheMs = 60 * 60_000
// Shorter for a sample that could not be used, because the fault may soon be fixed.
const unusableCacheMs = 60_000

export function openSheetLayoutCache(source: SampleSource, clock: Clock): SheetLayoutCache {
  const cached = new Map<string, { atMs: number; sheet: UploadSheet }>()
  // Batches of a course that are prepared at the same time share one request.
  const pending = new Map<string, Promise<UploadSheet>>()

  async function cachedSheet(key: string, request: () => Promise<UploadSheet>): Promise<UploadSheet> {
    const known = cached.get(key)
    const validMs = known?.sheet.notice ? unusableCacheMs : cacheMs
    if (known && clock.monotonicMs() - known.atMs < validMs) return known.sheet
    const answer = pending.get(key) ?? request().finally(() => pending.delete(key))
    pending.set(key, answer)
    const sheet = await answer
    cached.set(key, { atMs: clock.monotonicMs(), sheet })
    return sheet
  }
  const sheetWith = async (course: string, columns: readonly string[], notice: string | null): Promise<UploadSheet> => {
    const courseNumber = wantsCourseNumber(columns) ? (await source.courseDetail(course)).course_number : null
    return { columns, courseNumber, notice }
  }

  return {
    async sheetOf(course, images) {
      const plainSheet = await cachedSheet(`sheet of ${course}`, async () => {
        const sample = await columnsIn(() => source.sampleSheet(course))
        if ('columns' in sample) return sheetWith(course, sample.columns, null)
        const fields = (await source.fieldList(course)).map((field) => field.displayName)
        const notice = `The sample sheet of the course could not be used (${sample.why}): the upload has the columns of the course's field list, in its order.`
        return sheetWith(course, fields, notice)
      })
      if (!images || hasImageColumn(plainSheet.columns, images.column)) return plainSheet
      return cachedSheet(`data of ${course}`, async () => {
        const sample = await columnsIn(() => source.sampleData(course))
        return 'columns' in sample ? sheetWith(course, sample.columns, null) : plainSheet
      })
    },
  }
}

/** Returns the reason if the service refuses the sample or the file cannot be read. Any other error is thrown. */
async function columnsIn(request: () => Promise<{ bytes: Buffer }>): Promise<{ columns: string[] } | { why: string }> {
  try {
    const { sampleColumns } = await import('./sample-columns.ts')
    return { columns: await sampleColumns((await request()).bytes) }
  } catch (error) {
    if (error instanceof SourceError) return { why: error.sentence.replace(/\.$/, '') }
    const { name, status } = error as { name?: string; status?: number }
    if (name === 'ServiceRefusedError' && status !== 401) return { why: `the service refused it, HTTP ${status}` }
    throw error
  }
}
