// Converts stored inbound events to completions, and creates runs for completions, in the database. If another system
// confirms the events, an event is only a hint, and the completion is read from that system over the network.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { InboundEvent } from '#src/extensions/lms/ledger/inbound-events.ts'
import { type CoursesToVerify, openCoursesToVerify } from '#src/extensions/lms/sync/courses-to-verify.ts'
import { learnersOf, type Problem, sentenceOf } from '#src/extensions/lms/systems/problems.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import { type IngestedEvent, trustEvent, verifyEvent } from './ingest-event.ts'

const batchSize = 100
const unavailableWaitMs = 30_000
/**
 * How long an event waits when an operator must fix its problem, because credsync does not learn when that has
 * happened.
 */
const heldWaitMs = 5 * 60_000

export type ProcessTools = Pick<ExtensionTools, 'ledger' | 'learning' | 'queues' | 'log' | 'clock'>

export async function processEvents(tools: ProcessTools, { system }: { system: string }): Promise<Verdict> {
  const { ledger, learning } = tools
  const endpoint = learning.endpoint(system)
  // The system is no longer in the configuration; its stored events are kept.
  if (!endpoint) return done()
  // If another worker has the lock, this job ends immediately instead of blocking the queue: the sweep queues it again.
  await ledger.locks.withLock(`process-events:${system}`, () => processAll(tools, endpoint), false)
  await createRuns(tools)
  return done()
}

type Endpoint = NonNullable<ReturnType<ExtensionTools['learning']['endpoint']>>

async function processAll(tools: ProcessTools, endpoint: Endpoint): Promise<void> {
  const { ledger, log } = tools
  const { name: system, confirm } = endpoint
  const courses = openCoursesToVerify()
  let heldCount = 0
  for (;;) {
    const events = await ledger.inboundEvents.unprocessed(system, batchSize)
    for (const event of events)
      try {
        heldCount += Number(await processOne(tools, { endpoint, courses }, event))
      } catch (error) {
        const failure = systemFailureOf(error)
        if (!failure) throw error
        // The event stays unprocessed, because the system that confirms it is unavailable or refused the call.
        log.event('system.away', { system: confirm ?? system, error: failure.name, code: failure.code })
        await ledger.learningSystems.noteAway(confirm ?? system, failure.sentence)
        await ledger.inboundEvents.postpone(system, failure.kind === 'refused' ? heldWaitMs : unavailableWaitMs)
        return
      }
    if (events.length < batchSize) break
  }
  if (heldCount > 0) log.event('inbound_event.held', { system, count: heldCount })
}

/** @returns whether the event is held because its course could not be read */
async function processOne(
  tools: ProcessTools,
  { endpoint, courses }: { endpoint: Endpoint; courses: CoursesToVerify },
  event: InboundEvent,
): Promise<boolean> {
  const { ledger, log } = tools
  const { id, system } = event
  const { confirm: confirmingSystem } = endpoint
  const { hints: allHints, problem } = endpoint.read(event)
  // A voided statement must not issue anything, unless another system confirms events, which then decides.
  const hints = event.voided && confirmingSystem === null ? [] : allHints
  const ingested: IngestedEvent[] = []
  for (const hint of hints)
    ingested.push(
      confirmingSystem === null
        ? await trustEvent(tools, event, hint)
        : await verifyEvent(tools, { system: confirmingSystem, courses }, hint),
    )
  const holdReason = ingested.find((each) => each.holdReason !== null)?.holdReason ?? null
  if (holdReason !== null) {
    // The refusal may affect only this learner. This event waits longer, so that later events are processed before it
    // is retried.
    await ledger.inboundEvents.hold(
      id,
      holdReason,
      ingested.some(({ isRefusedNow }) => isRefusedNow) ? 2 * heldWaitMs : heldWaitMs,
    )
    return true
  }
  const problems: Problem[] = [
    ...(problem === null ? [] : [{ sentence: problem }]),
    ...ingested.flatMap((each) => each.problems),
  ]
  const [first, state] = [problems.find(({ isState }) => !isState), problems[0]]
  if (first !== undefined) {
    log.event('inbound_event.strange', { system, inboundEvent: id, learner: learnersOf([first]) })
    await ledger.inboundEvents.noteProcessed(id, { kind: 'strange', problem: sentenceOf(first) })
  } else if (ingested.every(({ concernsUs }) => concernsUs)) {
    const isForgotten = ingested.length > 0 && ingested.every((each) => each.isForgotten)
    await ledger.inboundEvents.noteProcessed(id, { kind: 'processed', isForgotten, left: state && sentenceOf(state) })
  } else await ledger.inboundEvents.noteProcessed(id, { kind: 'unclaimed' })
  return false
}

/**
 * Creates runs for completions that belong to no run yet, and queues them. These runs are then read like files.
 * @returns the number of jobs that were queued
 */
export async function createRuns({ ledger, queues }: Pick<ExtensionTools, 'ledger' | 'queues'>): Promise<number> {
  let queued = 0
  for (const pipeline of await ledger.completions.waiting())
    for (let runId = await ledger.completions.createRun(pipeline); runId !== null; ) {
      queued += Number(await queues.enqueue('intake', { runId }))
      runId = await ledger.completions.createRun(pipeline)
    }
  return queued
}
