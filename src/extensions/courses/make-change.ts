// Sends one change of a course to the service, without ever repeating it, and reads the course back to find out whether
// the change took effect.

import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type CourseTarget, courseDifferences, type FieldDifference } from './course-difference.ts'

export interface ChangeResult {
  outcome: Outcome
  /**
   * `in part`: only some of the change took effect. `undecidable`: the service does not show whether it took effect.
   */
  happened: 'yes' | 'no' | 'in part' | 'undecidable'
  /** The course after the change; null if it could not be read or does not exist. */
  now: CourseDetail | null
  /** The fields that the service shows with a value other than the requested one. */
  mismatches: FieldDifference[]
  /** A sentence that says why the course could not be read back; null if it was. */
  readBackProblem: string | null
}

/**
 * How long to wait before the second reading if the first one does not show the change, which may still be in progress.
 */
const secondReadDelayMs = 3_000

export interface ChangeSteps {
  send(): Promise<Outcome>
  /** Null if the course does not exist. Rejects if the service gives no usable answer. */
  readCourse(): Promise<CourseDetail | null>
  /**
   * Decides from a reading of the course whether a change of unknown outcome took effect. If the outcome is unknown and
   * the result is not `yes`, the course is read a second time.
   */
  classify(now: CourseDetail | null): ChangeResult['happened']
  /** Returns the fields that the service shows with a value other than the requested one. */
  mismatches(now: CourseDetail): FieldDifference[]
  clock: Clock
}

const notAppliedClasses: readonly Outcome['class'][] = ['not_sent', 'throttled', 'too_large', 'unauthorised']

/** Never sends twice. A failure after the change was sent is returned in the result and does not reject the promise. */
export async function makeChange({
  send,
  readCourse,
  classify,
  mismatches,
  clock,
}: ChangeSteps): Promise<ChangeResult> {
  const outcome = await send()
  if (notAppliedClasses.includes(outcome.class))
    return { outcome, happened: 'no', now: null, mismatches: [], readBackProblem: null }
  const accepted = outcome.class === 'accepted'
  try {
    let now = await readCourse()
    const isConclusive = () => (accepted ? now !== null && mismatches(now).length === 0 : classify(now) === 'yes')
    // A refusal with a message is trusted. The course is still read, because part of the change may have been applied.
    if (outcome.class !== 'refused' && !isConclusive()) {
      await clock.sleep(secondReadDelayMs)
      now = await readCourse()
    }
    const happened = accepted ? 'yes' : classify(now)
    return {
      outcome,
      happened,
      now,
      mismatches: now && happened !== 'no' ? mismatches(now) : [],
      readBackProblem: null,
    }
  } catch (error) {
    const readBackProblem = error instanceof Error ? error.message : 'The service could not be read.'
    const happened = accepted ? 'yes' : outcome.class === 'refused' ? 'no' : 'undecidable'
    return { outcome, happened, now: null, mismatches: [], readBackProblem }
  }
}

/** Checks whether the current course shows the requested change in full or in part. Pure. */
export function checkUpdate(
  requested: readonly FieldDifference[],
  now: CourseDetail | null,
  target: CourseTarget,
): ChangeResult['happened'] {
  const visible = requested.filter(({ seen }) => seen)
  if (!now || visible.length === 0) return 'undecidable'
  const remaining = courseDifferences(now, target).filter(
    ({ key, seen }) => seen && visible.some((each) => each.key === key),
  )
  if (remaining.length === 0) return 'yes'
  const untouched =
    remaining.length === visible.length &&
    remaining.every((entry) => visible.some(({ key, before }) => key === entry.key && before === entry.before))
  return untouched ? 'no' : 'in part'
}
