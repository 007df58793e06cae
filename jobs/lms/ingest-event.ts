// Converts one inbound event to completions, either by trusting it or by verifying it with another system over the
// network. Writes to the database.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { InboundEvent } from '#src/extensions/lms/ledger/inbound-events.ts'
import { type CoursesToVerify, concerns, courseFailure } from '#src/extensions/lms/sync/courses-to-verify.ts'
import { cellsOfEvent } from '#src/extensions/lms/systems/completion-cells.ts'
import type { Hint } from '#src/extensions/lms/systems/inbound-system.ts'
import type { Problem } from '#src/extensions/lms/systems/problems.ts'

type IngestTools = Pick<ExtensionTools, 'ledger' | 'learning' | 'log'>

/** The result of ingesting an event. */
export interface IngestedEvent {
  problems: Problem[]
  /** True when the event is about a course of one of our pipelines. */
  concernsUs: boolean
  /** Why the course of the event could not be read, without values; null if it could be. */
  holdReason: string | null
  /** True when the system refused a call for this event, not only for an earlier one. */
  isRefusedNow: boolean
  /** True when its completions are those of forgotten people, and of no one else. */
  isForgotten: boolean
}

const nothing = { concernsUs: false, holdReason: null, isRefusedNow: false, isForgotten: false }

/** Trusts the event, which must contain all values. */
export async function trustEvent(
  { ledger, learning, log }: IngestTools,
  { id: eventId, system, arrivedAt, again }: InboundEvent,
  hint: Hint,
): Promise<IngestedEvent> {
  const { id, idnumber, email } = hint.learner
  const learner = id ?? idnumber ?? email?.toLowerCase()
  const pipelines = learning.pipelinesOf(system).filter(({ course }) => course === hint.course)
  const withProblem = (sentence: string): IngestedEvent => ({ ...nothing, problems: [{ sentence }], concernsUs: true })
  // Nothing else would find this completion, so a misspelled course must not go unnoticed.
  if (pipelines.length === 0)
    return withProblem(
      'No pipeline has this system and the course of the event as its source, and the system has no `confirm`; set `confirm` to the system that has the course, or name the system and the course in a pipeline, and replay the event (credsync events replay), or ignore the event.',
    )
  if (learner === undefined) return withProblem('The event names no learner; check the mapping of the event.')
  // Without a time, repeated events are the same completion forever, or until renewAfter has elapsed. The completion
  // gets the time of the first arrival.
  const completedAt = hint.at ?? arrivedAt
  const cells = cellsOfEvent(hint, completedAt)
  let movedCount = 0
  let forgottenCount = 0
  for (const pipeline of pipelines) {
    const completion = { learner, course: hint.course, completedAt, cells, eventId, again }
    const { moved, forgotten, older } = await ledger.completions.ingest(pipeline, [completion], 'event')
    if (older > 0) log.event('completion.older', { system, pipeline: pipeline.pipeline, count: older })
    movedCount += moved
    forgottenCount += forgotten
  }
  // One event would otherwise become two completions, with a credential each.
  if (movedCount > 0)
    return withProblem(
      'The event has already been processed, and has a different time under the current mapping. It is not processed twice; to issue again, issue the credential manually.',
    )
  const isForgotten = forgottenCount === pipelines.length
  return { ...nothing, problems: [], concernsUs: true, isForgotten }
}

/**
 * Verifies the event with the other system, for each pipeline's course separately: a problem with one course is
 * reported and does not block the others.
 */
export async function verifyEvent(
  { ledger, learning, log }: IngestTools,
  { system, courses }: { system: string; courses: CoursesToVerify },
  hint: Hint,
): Promise<IngestedEvent> {
  const lms = learning.polledSystem(system)
  const ingested: IngestedEvent = { ...nothing, problems: [] }
  let possibleFailure: string | null = null
  let [foundCount, forgottenCount] = [0, 0]
  for (const pipeline of learning.pipelinesOf(system)) {
    const lookup = await courses.find(lms, pipeline)
    const concern = concerns(hint, lookup, pipeline)
    if (concern === 'perhaps') possibleFailure = lookup.failure
    if (concern !== 'yes') continue
    ingested.concernsUs = true
    const { course } = lookup
    if (!course || lookup.failure !== null) {
      ingested.holdReason = lookup.failure
      continue
    }
    const isKnown = async (learner: string) => (await ledger.completions.known(system, pipeline.pipeline)).has(learner)
    try {
      const { completions, problems } = await course.findOne(hint, isKnown)
      const { forgotten, older } = await ledger.completions.ingest(pipeline, completions, 'event')
      if (older > 0) log.event('completion.older', { system, pipeline: pipeline.pipeline, count: older })
      foundCount += completions.length
      forgottenCount += forgotten
      ingested.problems.push(...problems)
    } catch (error) {
      lookup.failure = ingested.holdReason = courseFailure(error, pipeline)
      ingested.isRefusedNow = true
    }
  }
  if (!ingested.concernsUs) ingested.holdReason = possibleFailure
  ingested.isForgotten = forgottenCount > 0 && forgottenCount === foundCount
  return ingested
}
