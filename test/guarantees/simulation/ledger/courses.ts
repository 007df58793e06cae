// The twin's record of courses and their pauses. Its behavior and messages must match those of canary.ts and courses.ts
// in src/ledger/attempts; the conformance suite compares them.

import type { Breaker } from '#src/ledger/attempts/canary.ts'
import type { CoursePause } from '#src/ledger/attempts/courses.ts'
import { dropPrepared } from './attempts.ts'
import type { CourseRecord } from './records.ts'
import { courseOf, type Tables } from './tables.ts'

/** If the course is paused again for the same reason after a retry, the waiting time counts from the first pause. */
export function pauseCourse(tables: Tables, courseUuid: string, pauseReason: string, ms: number): void {
  const course = courseOf(tables, courseUuid)
  const at = tables.now()
  const continues = course.pauseReason === pauseReason && course.pausedUntil > at - 60_000
  const pausedSince = continues ? course.pausedSince : at
  Object.assign(course, { pauseReason, pausedSince, pausedUntil: at + ms, pausedAfterTrouble: false })
}

/**
 * Pauses the course after two calls in a row with an unknown outcome, after two calls that were not accepted while the
 * course is untrusted, or after one unknown outcome if no call has been accepted since the last pause. Concurrent calls
 * count as one.
 * @returns the length of the pause in milliseconds; null if the course is not paused
 */
export function pauseAfterTrouble(tables: Tables, courseUuid: string, { firstMs, maxMs }: Breaker): number | null {
  const course = courseOf(tables, courseUuid)
  const level = course.trusted ? 0 : course.troubleLevel
  const unknown = lastOf(course, ['unknown'])
  const again = level > 0 && unknown.length > 0
  const hasTwoUnknown = areApart(unknown)
  const refusesAll = !course.trusted && areApart(lastOf(course, ['unknown', 'refused']))
  if (!again && !hasTwoUnknown && !refusesAll) return null
  const at = tables.now()
  const ms = Math.min(maxMs, firstMs * 2 ** level)
  const pausedSince = level > 0 && course.pausedAfterTrouble ? course.pausedSince : at
  Object.assign(course, { pausedUntil: at + ms, pausedSince, pausedAfterTrouble: true, troubleLevel: level + 1 })
  Object.assign(course, { canarySince: at, trusted: false, calls: [] })
  if (again) course.pauseReason = 'the retry also had an unknown outcome; one recipient is sent alone next'
  else
    course.pauseReason = hasTwoUnknown
      ? 'two calls in a row had an unknown outcome; the report is being checked, and one recipient is sent alone first'
      : 'the service has refused or not answered the first two calls; one recipient is sent alone next'
  dropPrepared(tables, courseUuid, 'the course is paused')
  return ms
}

type Call = CourseRecord['calls'][number]

/** The calls that ended since the last one with another outcome. */
function lastOf({ calls }: CourseRecord, outcomes: readonly Call['outcome'][]): Call[] {
  return calls.slice(calls.findLastIndex((call) => !outcomes.includes(call.outcome)) + 1)
}

function areApart(calls: readonly Call[]): boolean {
  const ends = calls.map((call) => call.endedAt)
  return calls.some((call) => call.sendingAt >= Math.min(...ends))
}

/** The smallest limit among the courses of the pipeline's runs. */
export function learnedBatchLimit(tables: Tables, pipeline: string): number | null {
  let least: number | null = null
  for (const { run } of tables.runs.values()) {
    const limit = run.pipeline === pipeline && run.courseUuid ? courseOf(tables, run.courseUuid).batchLimit : null
    if (limit !== null) least = Math.min(least ?? limit, limit)
  }
  return least
}

export function pauses(tables: Tables): CoursePause[] {
  const now = tables.now()
  return [...tables.courses.values()]
    .filter((course) => course.pausedUntil > now)
    .map(({ uuid, pauseReason, pausedSince, pausedUntil, pausedAfterTrouble }) => ({
      courseUuid: uuid,
      reason: pauseReason as string,
      since: new Date(pausedSince),
      until: new Date(pausedUntil),
      afterTrouble: pausedAfterTrouble,
    }))
}
