// Sends one change of a course, once, and finds out from the service itself what became of it.

import type { CourseDetail } from '#src/issuer/course-shapes.ts'
import type { Outcome } from '#src/issuer/outcome.ts'
import type { Clock } from '#src/time/clock.ts'
import { type CourseTarget, differenceTo, type FieldDifference } from './course-difference.ts'

export interface ChangeEnd {
  outcome: Outcome
  /** `in part` shows some of it; `undecidable` when nothing that the service shows tells. */
  happened: 'yes' | 'no' | 'in part' | 'undecidable'
  /** The course as it is now; null when it could not be read, or there is none. */
  now: CourseDetail | null
  /** What the service shows otherwise than it was asked for. */
  otherwise: FieldDifference[]
  /** Why the look afterwards failed, in a sentence. */
  unread: string | null
}

/** Between the looks after an answer that says nothing: what was under way may show a moment later. */
const lookAgainMs = 3_000

export interface ChangeSteps {
  send(): Promise<Outcome>
  /** Null where there is no such course. Rejects when the service gives no usable answer. */
  look(): Promise<CourseDetail | null>
  /** What is made of a look after an outcome that is not sure: `no` and `undecidable` are looked at twice. */
  judge(now: CourseDetail | null): ChangeEnd['happened']
  /** What of it the service shows otherwise; empty when all is there that can be seen. */
  otherwise(now: CourseDetail): FieldDifference[]
  clock: Clock
}

const surelyNot: readonly Outcome['class'][] = ['not_sent', 'throttled', 'too_large']

/** Never sends twice, and never rejects: what fails after the send is told in the end. */
export async function makeChange({ send, look, judge, otherwise, clock }: ChangeSteps): Promise<ChangeEnd> {
  const outcome = await send()
  if (surelyNot.includes(outcome.class)) return { outcome, happened: 'no', now: null, otherwise: [], unread: null }
  const accepted = outcome.class === 'accepted'
  try {
    let now = await look()
    const settled = () => (accepted ? now !== null && otherwise(now).length === 0 : judge(now) === 'yes')
    // A refusal in words is taken at its word; it is looked at all the same, since part of it may have been done.
    if (outcome.class !== 'refused' && !settled()) {
      await clock.sleep(lookAgainMs)
      now = await look()
    }
    const happened = accepted ? 'yes' : judge(now)
    return { outcome, happened, now, otherwise: now && happened !== 'no' ? otherwise(now) : [], unread: null }
  } catch (error) {
    const unread = error instanceof Error ? error.message : 'The service could not be asked.'
    const happened = accepted ? 'yes' : outcome.class === 'refused' ? 'no' : 'undecidable'
    return { outcome, happened, now: null, otherwise: [], unread }
  }
}

/** Of a change of `asked`: whether the course as it is now shows it, wholly or in part. Pure. */
export function judgeUpdate(
  asked: readonly FieldDifference[],
  now: CourseDetail | null,
  target: CourseTarget,
): ChangeEnd['happened'] {
  const visible = asked.filter(({ seen }) => seen)
  if (!now || visible.length === 0) return 'undecidable'
  const left = differenceTo(now, target).filter(({ key, seen }) => seen && visible.some((each) => each.key === key))
  if (left.length === 0) return 'yes'
  const untouched =
    left.length === visible.length &&
    left.every((each) => visible.some(({ key, before }) => key === each.key && before === each.before))
  return untouched ? 'no' : 'in part'
}
