// Hear: one event of a delivery becomes completions, at its word or by asking the system that knows.

import { cellsOfEvent } from '#src/learning/cells.ts'
import { concerns, type JudgingCourses, troubleOfCourse } from '#src/learning/judging-courses.ts'
import type { Hint } from '#src/learning/read-delivery.ts'
import type { Delivery } from '#src/ledger/deliveries.ts'
import type { Tools } from './tools.ts'

type HearTools = Pick<Tools, 'ledger' | 'learning'>

/** What an event came to. */
export interface HeardEvent {
  /** Sentences for a person, without values. */
  problems: string[]
  /** Whether it is about a course of ours. */
  claimed: boolean
  /** Why its course could not be asked about; a sentence without values. */
  held: string | null
  /** Whether that was said to this very event, and not to one before it. */
  refused: boolean
}

/** The event says everything itself, and is taken at its word. */
export async function believe(
  { ledger, learning }: HearTools,
  { id: delivery, system, arrivedAt, again }: Delivery,
  hint: Hint,
): Promise<HeardEvent> {
  const { id, idnumber, email } = hint.learner
  const learner = id ?? idnumber ?? email?.toLowerCase()
  const pipelines = learning.pipelinesOf(system).filter(({ course }) => course === hint.course)
  const strange = (problem: string): HeardEvent => ({ problems: [problem], claimed: true, held: null, refused: false })
  // Nobody else would find who completed it: a course that is misspelt here must not pass in silence.
  if (pipelines.length === 0)
    return strange(
      'No pipeline names the course of this event; add one and have it judged again (credsync events replay), or let it be.',
    )
  if (learner === undefined) return strange('The event names no learner; look at its mapping.')
  // An event without a time is one completion for ever, or until renewAfter has passed: that of its first arrival.
  const completedAt = hint.at ?? arrivedAt
  const cells = cellsOfEvent(hint, completedAt)
  let moved = 0
  for (const of of pipelines) {
    const completion = { learner, course: hint.course, completedAt, cells, delivery, again }
    moved += (await ledger.completions.hear(of, [completion], 'event')).moved
  }
  // One event would become two occasions, with a credential each.
  if (moved > 0)
    return strange(
      'The event was counted before, and by its mapping of today it was at another time. It is not counted twice; if it should be issued anew, issue by hand.',
    )
  return { problems: [], claimed: true, held: null, refused: false }
}

/** Each pipeline's course is asked about by itself: the trouble of one is told, and keeps no other waiting. */
export async function confirm(
  { ledger, learning }: HearTools,
  { system, courses }: { system: string; courses: JudgingCourses },
  hint: Hint,
): Promise<HeardEvent> {
  const asked = learning.askedSystem(system)
  const heard: HeardEvent = { problems: [], claimed: false, held: null, refused: false }
  let perhaps: string | null = null
  for (const pipeline of learning.pipelinesOf(system)) {
    const judged = await courses.of(asked, pipeline)
    const concern = concerns(hint, judged, pipeline)
    if (concern === 'perhaps') perhaps = judged.trouble
    if (concern !== 'yes') continue
    heard.claimed = true
    const { course } = judged
    if (!course || judged.trouble !== null) {
      heard.held = judged.trouble
      continue
    }
    const isKnown = async (learner: string) => (await ledger.completions.known(system, pipeline.pipeline)).has(learner)
    try {
      const { completions, problems } = await course.hearOne(hint, isKnown)
      await ledger.completions.hear(pipeline, completions, 'event')
      heard.problems.push(...problems)
    } catch (error) {
      judged.trouble = heard.held = troubleOfCourse(error, pipeline)
      heard.refused = true
    }
  }
  if (!heard.claimed) heard.held = perhaps
  return heard
}
