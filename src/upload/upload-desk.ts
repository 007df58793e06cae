// What the sheet of an upload looks like for a course. The service is asked once, and its answer kept: templates change in days.

import { SourceError } from '#src/sources/source-error.ts'
import type { Clock } from '#src/time/clock.ts'
import { sampleColumns } from './sample-columns.ts'
import { hasImageColumn, wantsCourseNumber } from './sheet-layout.ts'

/** The part of the service client that is needed here. */
export interface SampleSource {
  sampleSheet(course: string): Promise<{ bytes: Buffer }>
  sampleData(course: string): Promise<{ bytes: Buffer }>
  fieldList(course: string): Promise<readonly { displayName: string }[]>
  courseDetail(course: string): Promise<{ course_number: string | null }>
}

export interface Sheet {
  /** The header, exactly as the service wants it. */
  columns: readonly string[]
  /** Where the header asks for it. */
  courseNumber: string | null
  /** A sentence when the sample could not be had and the field list stands in for it. */
  notice: string | null
}

export interface UploadDesk {
  /**
   * With `images` the sample with images is asked for too, when the plain one has no column for them.
   * @throws ServiceUnreachableError and KeysRefusedError: then nothing is known, and nothing must be sent by a guess
   */
  sheetOf(course: string, images: { column?: string | undefined } | null): Promise<Sheet>
}

const keptMs = 60 * 60_000
// What the service has just refused may be mended soon.
const keptNoticeMs = 60_000

export function openUploadDesk(source: SampleSource, clock: Clock): UploadDesk {
  const kept = new Map<string, { at: number; sheet: Sheet }>()
  // Batches of a course are made at the same time: they wait for one answer together.
  const asking = new Map<string, Promise<Sheet>>()

  async function keep(key: string, ask: () => Promise<Sheet>): Promise<Sheet> {
    const known = kept.get(key)
    const lasts = known?.sheet.notice ? keptNoticeMs : keptMs
    if (known && clock.monotonicMs() - known.at < lasts) return known.sheet
    const answer = asking.get(key) ?? ask().finally(() => asking.delete(key))
    asking.set(key, answer)
    const sheet = await answer
    kept.set(key, { at: clock.monotonicMs(), sheet })
    return sheet
  }
  const whole = async (course: string, columns: readonly string[], notice: string | null): Promise<Sheet> => {
    const courseNumber = wantsCourseNumber(columns) ? (await source.courseDetail(course)).course_number : null
    return { columns, courseNumber, notice }
  }

  return {
    async sheetOf(course, images) {
      const plain = await keep(`sheet of ${course}`, async () => {
        const sample = await columnsIn(() => source.sampleSheet(course))
        if ('columns' in sample) return whole(course, sample.columns, null)
        const fields = (await source.fieldList(course)).map((field) => field.displayName)
        const notice = `The sample sheet of the course could not be used (${sample.why}): the upload has the columns of the course's field list, in its order.`
        return whole(course, fields, notice)
      })
      if (!images || hasImageColumn(plain.columns, images.column)) return plain
      return keep(`data of ${course}`, async () => {
        const sample = await columnsIn(() => source.sampleData(course))
        return 'columns' in sample ? whole(course, sample.columns, null) : plain
      })
    },
  }
}

/** A no of the service, or something unreadable, is an answer; anything else is thrown. */
async function columnsIn(ask: () => Promise<{ bytes: Buffer }>): Promise<{ columns: string[] } | { why: string }> {
  try {
    return { columns: await sampleColumns((await ask()).bytes) }
  } catch (error) {
    if (error instanceof SourceError) return { why: error.sentence.replace(/\.$/, '') }
    const { name, status } = error as { name?: string; status?: number }
    if (name === 'ServiceRefusedError' && status !== 401) return { why: `the service refused it, HTTP ${status}` }
    throw error
  }
}
