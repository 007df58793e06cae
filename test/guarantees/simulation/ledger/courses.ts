// What the twin has learned about courses, and their pauses.

import type { Pause } from '#src/ledger/courses.ts'
import { dropPrepared } from './attempts.ts'
import { courseOf, type Tables } from './tables.ts'

export function pauseCourse(tables: Tables, courseUuid: string, pauseReason: string, ms: number): void {
  Object.assign(courseOf(tables, courseUuid), { pauseReason, pausedUntil: tables.now() + ms })
}

/** Two unknown calls in a row; or two that were not accepted, of a course that has accepted none since it was last doubted. */
export function pauseAfterTrouble(tables: Tables, courseUuid: string, ms: number): boolean {
  const course = courseOf(tables, courseUuid)
  const last = course.lastOutcomes
  const unknown = last.every((outcome) => outcome === 'unknown')
  const refusesAll = !course.trusted && last.every((outcome) => outcome === 'unknown' || outcome === 'refused')
  if (last.length < 2 || !(unknown || refusesAll)) return false
  const at = tables.now()
  Object.assign(course, { pausedUntil: at + ms, canarySince: at, trusted: false, lastOutcomes: [] })
  course.pauseReason = unknown
    ? 'two calls in a row had an unknown outcome; the report is asked, and one recipient alone goes first'
    : 'the service has refused or not answered the first two calls; one recipient alone goes next'
  dropPrepared(tables, courseUuid, 'the course is paused')
  return true
}

/** Of the courses that the pipeline has had runs for. */
export function learnedBatchLimit(tables: Tables, pipeline: string): number | null {
  let least: number | null = null
  for (const { run } of tables.runs.values()) {
    const limit = run.pipeline === pipeline && run.courseUuid ? courseOf(tables, run.courseUuid).batchLimit : null
    if (limit !== null) least = Math.min(least ?? limit, limit)
  }
  return least
}

export function pauses(tables: Tables): Pause[] {
  const now = tables.now()
  return [...tables.courses.values()]
    .filter((course) => course.pausedUntil > now)
    .map(({ uuid, pauseReason, pausedUntil }) => ({
      courseUuid: uuid,
      reason: pauseReason as string,
      until: new Date(pausedUntil),
    }))
}
