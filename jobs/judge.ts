// Judge: what a learning system delivered becomes completions. A system that is confirmed by another gave a hint only: the other one is asked.

import type { AskedSystem } from '#src/learning/asked-system.ts'
import { cellsOfEvent } from '#src/learning/cells.ts'
import { type Hint, readDelivery } from '#src/learning/read-delivery.ts'
import { troubleOf } from '#src/learning/system-trouble.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import { gatherCompletions } from './gather.ts'
import type { Tools } from './tools.ts'

const atOnce = 100
const awayMs = 30_000

export type JudgeTools = Pick<Tools, 'ledger' | 'learning' | 'queues' | 'log' | 'clock'>

export async function judge(tools: JudgeTools, { system }: { system: string }): Promise<Verdict> {
  const { ledger, learning } = tools
  const door = learning.door(system)
  // The configuration no longer has it; what it sent is kept.
  if (!door) return done()
  const judgeAll = async () => {
    const courses = askedOnce()
    for (;;) {
      const deliveries = await ledger.deliveries.unjudged(system, atOnce)
      for (const delivery of deliveries) {
        const { hints, problem } = readDelivery(door.settings, delivery)
        const problems = problem === null ? [] : [problem]
        try {
          for (const hint of hints)
            problems.push(...(await hear(tools, door, { hint, arrivedAt: delivery.arrivedAt, courses })))
        } catch (error) {
          const trouble = troubleOf(error)
          if (!trouble) throw error
          // It stays unjudged: the system that knows could not be asked.
          tools.log.event('system.away', { system: door.settings.confirm ?? system, error: trouble.name })
          await ledger.deliveries.putOff(system, awayMs)
          return
        }
        await ledger.deliveries.noteJudged(delivery.id, problems[0] ?? null)
        if (problems.length > 0) tools.log.event('delivery.strange', { system, delivery: delivery.id })
      }
      if (deliveries.length < atOnce) return
    }
  }
  // Whoever comes second does not wait, or the others of the queue would stand behind: the sweep comes by again.
  await ledger.withLock(`judge:${system}`, judgeAll, false)
  await gatherCompletions(tools)
  return done()
}

/** @returns sentences for a person, without values */
async function hear(
  tools: JudgeTools,
  { name, settings }: NonNullable<ReturnType<Tools['learning']['door']>>,
  { hint, arrivedAt, courses }: { hint: Hint; arrivedAt: Date; courses: Courses },
): Promise<string[]> {
  if (settings.confirm === undefined) return believe(tools, name, hint, arrivedAt)
  return confirm(tools, { system: settings.confirm, courses }, hint)
}

type Courses = (asked: AskedSystem, of: Parameters<AskedSystem['course']>[0]) => ReturnType<AskedSystem['course']>

/** Of thirty events in one body most are about one course. */
function askedOnce(): Courses {
  const answers = new Map<string, ReturnType<AskedSystem['course']>>()
  return (asked, pipeline) => {
    const answer = answers.get(pipeline.pipeline) ?? asked.course(pipeline)
    answers.set(pipeline.pipeline, answer)
    return answer
  }
}

/** The event says everything itself, and is taken at its word. */
async function believe(
  { ledger, learning }: JudgeTools,
  system: string,
  hint: Hint,
  arrivedAt: Date,
): Promise<string[]> {
  const { id, idnumber, email } = hint.learner
  const learner = id ?? idnumber ?? email?.toLowerCase()
  const pipelines = learning.pipelinesOf(system).filter(({ course }) => course === hint.course)
  if (pipelines.length === 0) return ['No pipeline names the course of this event; add one, or let it be.']
  if (learner === undefined) return ['The event names no learner; look at its mapping.']
  // An event without a time is one completion for ever, or until renewAfter has passed: that of its first arrival.
  const completedAt = hint.at ?? arrivedAt
  const cells = cellsOfEvent(hint, completedAt)
  for (const of of pipelines)
    await ledger.completions.hear(of, [{ learner, course: hint.course, completedAt, cells }], 'event')
  return []
}

async function confirm(
  { ledger, learning }: JudgeTools,
  { system, courses }: { system: string; courses: Courses },
  hint: Hint,
): Promise<string[]> {
  const asked = learning.askedSystem(system)
  const problems: string[] = []
  for (const pipeline of learning.pipelinesOf(system)) {
    const course = await courses(asked, pipeline)
    if (!course?.isAbout(hint)) continue
    const isKnown = async (learner: string) => (await ledger.completions.known(system, pipeline.pipeline)).has(learner)
    const heard = await course.hearOne(hint, isKnown)
    await ledger.completions.hear(pipeline, heard.completions, 'event')
    problems.push(...heard.problems)
  }
  return problems
}
