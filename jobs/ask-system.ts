// Ask: a learning system is asked who completed what, whatever its events said. At night everybody is asked about.

import type { AskedSystem } from '#src/learning/asked-system.ts'
import { courseGone } from '#src/learning/judging-courses.ts'
import type { CompletionPipeline } from '#src/learning/open-learning.ts'
import { troubleOf } from '#src/learning/system-trouble.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import { nextDelay } from '#src/retry/backoff.ts'
import { parseSchedule } from '#src/time/schedule.ts'
import { gatherCompletions } from './gather.ts'
import type { Tools } from './tools.ts'

const patience = { baseMs: 30_000, capMs: 30 * 60_000 }

export type AskTools = Pick<Tools, 'ledger' | 'learning' | 'queues' | 'log' | 'clock'>

export async function askSystem(tools: AskTools, { system }: { system: string }): Promise<Verdict> {
  const { ledger, learning, clock, queues } = tools
  const asked = learning.asked.find(({ name }) => name === system)
  if (!asked) return done()
  await ledger.withLock(
    `ask:${system}`,
    async () => {
      const { due, sweepDue, tries } = await ledger.learningSystems.dueOf(system)
      if (!due) return
      try {
        const problems = await askAboutEach(tools, asked, sweepDue)
        const { every, sweep, timeZone } = asked.settings
        const next = (text: string) => parseSchedule(text, timeZone)?.next(clock.now()) ?? clock.now()
        await ledger.learningSystems.notePolled(system, {
          nextAt: next(every),
          sweepAt: sweepDue ? next(sweep) : null,
          problem: problems[0] ?? null,
        })
        if (sweepDue) await queues.ask('learning', { look: system })
      } catch (error) {
        const trouble = troubleOf(error)
        if (!trouble) throw error
        tools.log.event('system.away', { system, error: trouble.name })
        await ledger.learningSystems.noteTrouble(system, trouble.sentence, nextDelay(tries + 1, patience))
      }
    },
    false,
  )
  await gatherCompletions(tools)
  return done()
}

/**
 * A no to one course, which has no criteria or may not be seen, keeps nobody of another course waiting; neither does one that gets no answer, such as
 * a course that is too large for its system. When the next one gets none either, or patience is asked for, it is the system.
 * @returns sentences for a person, without values
 * @throws what the system throws when it is away, or says no to all
 */
async function askAboutEach(tools: AskTools, asked: AskedSystem, everybody: boolean): Promise<string[]> {
  const pipelines = tools.learning.pipelinesOf(asked.name)
  const problems: string[] = []
  let refused = 0
  let unanswered: unknown = null
  let isFirstInRow = true
  for (const each of pipelines)
    try {
      problems.push(...(await askAbout(tools, asked, each, everybody)))
      isFirstInRow = true
    } catch (error) {
      const trouble = troubleOf(error)
      if (trouble?.kind === 'away' && isFirstInRow && trouble.retryAfterMs === null) {
        unanswered ??= error
        isFirstInRow = false
        continue
      }
      if (!trouble || trouble.kind === 'away') throw error
      isFirstInRow = true
      refused += Number(trouble.kind === 'refused')
      if (refused === pipelines.length) throw error
      problems.push(`Pipeline ${each.pipeline}: ${trouble.sentence}`)
      tools.log.event('system.strange', { system: asked.name, pipeline: each.pipeline, count: 1 })
    }
  // It is asked again as soon as when all of it was away, and the others were heard.
  if (unanswered !== null) throw unanswered
  return problems
}

/** @returns sentences for a person, without values */
async function askAbout(
  { ledger, log }: AskTools,
  asked: AskedSystem,
  pipeline: CompletionPipeline,
  everybody: boolean,
): Promise<string[]> {
  const course = await asked.course(pipeline)
  if (!course) {
    log.event('system.strange', { system: asked.name, pipeline: pipeline.pipeline, count: 1 })
    return [courseGone(pipeline)]
  }
  // Whoever is known may have completed anew, or may have mended what their row was refused for: the night finds that.
  const known = everybody ? new Map<string, Date>() : await ledger.completions.known(asked.name, pipeline.pipeline)
  const { completions, problems } = await course.hearAll(new Set(known.keys()))
  const counts = await ledger.completions.hear(pipeline, completions, 'poll')
  log.event('system.asked', { system: asked.name, pipeline: pipeline.pipeline, count: counts.fresh + counts.again })
  if (problems.length > 0)
    log.event('system.strange', { system: asked.name, pipeline: pipeline.pipeline, count: problems.length })
  return problems.map((problem) => `Pipeline ${pipeline.pipeline}: ${problem}`)
}
