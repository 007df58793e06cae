// Polls a learning system for completions over the network, and stores them. At night it checks every learner.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { courseGoneMessage } from '#src/extensions/lms/sync/courses-to-verify.ts'
import { nightlyScheduleOf, pollRetryMs } from '#src/extensions/lms/sync/nightly-schedule.ts'
import { namesAt } from '#src/extensions/lms/sync/targets-of-pipeline.ts'
import type { CompletionPipeline, PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { learnersOf, sentencesOf } from '#src/extensions/lms/systems/problems.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import { parseSchedule } from '#src/platform/time/schedule.ts'
import { createRuns } from './process-events.ts'

const maxNotedProblems = 5

export type PollTools = Pick<ExtensionTools, 'ledger' | 'learning' | 'queues' | 'log' | 'clock'>

export async function pollLms(tools: PollTools, { system }: { system: string }): Promise<Verdict> {
  const { ledger, learning, clock } = tools
  const lms = learning.polled.find(({ name }) => name === system)
  if (!lms) return done()
  await ledger.locks.withLock(
    `poll:${system}`,
    async () => {
      const { due, fullPollDue, tries, wasUnavailable } = await ledger.learningSystems.dueOf(system)
      if (!due) return
      try {
        const problems = await pollCourses(tools, lms, fullPollDue)
        const [now, wasAsked] = [clock.now(), learning.pipelinesOf(system).length > 0]
        await ledger.learningSystems.notePolled(system, {
          nextAt: parseSchedule(lms.settings.every, lms.settings.timeZone)?.next(now) ?? now,
          fullPollAt: fullPollDue ? nightlyScheduleOf(lms, now).nextAt : null,
          problem: problems.slice(0, maxNotedProblems).join(' ') || null,
          wasAsked,
        })
        // An operator may have fixed what caused earlier refusals.
        if (wasAsked) await ledger.deliveries.hurry(namesAt(learning.targets, system), !wasUnavailable)
      } catch (error) {
        const failure = systemFailureOf(error)
        if (!failure) throw error
        tools.log.event('system.away', { system, error: failure.name, code: failure.code })
        const waitMs = pollRetryMs(tries + 1, failure.retryAfterMs)
        await ledger.learningSystems.noteFailure(system, failure.sentence, waitMs)
      }
    },
    false,
  )
  await createRuns(tools)
  return done()
}

/**
 * Polls each course. A course that is refused or times out does not block the others. If the next course also gets no
 * response, the system itself is unavailable.
 * @returns messages for the operator, without values
 * @throws the system's error if it is unavailable or refuses every course
 */
async function pollCourses(tools: PollTools, lms: PolledSystem, includeKnown: boolean): Promise<string[]> {
  const pipelines = tools.learning.pipelinesOf(lms.name)
  const problems: string[] = []
  let [refused, isFirstTimeout] = [0, true]
  let timeoutError: unknown = null
  for (const each of pipelines)
    try {
      problems.push(...(await pollCourse(tools, lms, each, includeKnown)))
      isFirstTimeout = true
    } catch (error) {
      const failure = systemFailureOf(error)
      if (failure?.kind === 'away' && isFirstTimeout && failure.retryAfterMs === null) {
        timeoutError ??= error
        isFirstTimeout = false
        continue
      }
      if (!failure?.isOfCourse || failure.kind === 'away') throw error
      isFirstTimeout = true
      refused += Number(failure.kind === 'refused')
      if (refused === pipelines.length) throw error
      problems.push(`Pipeline ${each.pipeline}: ${failure.sentence}`)
      tools.log.event('system.strange', { system: lms.name, pipeline: each.pipeline, count: 1 })
    }
  // Throwing causes a retry as soon as if the whole system were unavailable; the other courses have already been read.
  if (timeoutError !== null) throw timeoutError
  return problems
}

async function pollCourse(
  { ledger, log }: PollTools,
  lms: PolledSystem,
  pipeline: CompletionPipeline,
  includeKnown: boolean,
): Promise<string[]> {
  const logFields = { system: lms.name, pipeline: pipeline.pipeline }
  const course = await lms.course(pipeline)
  if (!course) {
    log.event('system.strange', { ...logFields, count: 1 })
    return [courseGoneMessage(pipeline)]
  }
  // A known learner may have completed again, or corrected the data that was refused: the nightly poll finds that.
  const latest = await ledger.completions.known(lms.name, pipeline.pipeline)
  const known = includeKnown ? { has: () => false, size: 0 } : latest
  const { completions, problems } = await course.findAll(known, includeKnown ? latest : undefined)
  const counts = await ledger.completions.ingest(pipeline, completions, 'poll')
  log.event('system.asked', { ...logFields, count: counts.fresh + counts.again })
  if (counts.older > 0) log.event('completion.older', { ...logFields, count: counts.older })
  const { length: count } = problems
  if (count > 0) log.event('system.strange', { ...logFields, count, learner: learnersOf(problems) })
  return sentencesOf(problems).map((problem) => `Pipeline ${pipeline.pipeline}: ${problem}`)
}
