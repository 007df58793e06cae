// Judge: what a learning system delivered becomes completions. A system that is confirmed by another gave a hint only: the other one is asked.

import { type JudgingCourses, openJudgingCourses } from '#src/learning/judging-courses.ts'
import { readDelivery } from '#src/learning/read-delivery.ts'
import { troubleOf } from '#src/learning/system-trouble.ts'
import type { Delivery } from '#src/ledger/deliveries.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import { gatherCompletions } from './gather.ts'
import { believe, confirm, type HeardEvent } from './hear-event.ts'
import type { Tools } from './tools.ts'

const atOnce = 100
const awayMs = 30_000
/** What a person has to mend in a course first is looked at again every so often: nobody tells us when it was. */
const heldMs = 5 * 60_000

export type JudgeTools = Pick<Tools, 'ledger' | 'learning' | 'queues' | 'log' | 'clock'>

export async function judge(tools: JudgeTools, { system }: { system: string }): Promise<Verdict> {
  const { ledger, learning } = tools
  const door = learning.door(system)
  // The configuration no longer has it; what it sent is kept.
  if (!door) return done()
  // Whoever comes second does not wait, or the others of the queue would stand behind: the sweep comes by again.
  await ledger.withLock(`judge:${system}`, () => judgeAll(tools, door), false)
  await gatherCompletions(tools)
  return done()
}

type Door = NonNullable<ReturnType<Tools['learning']['door']>>

async function judgeAll(tools: JudgeTools, door: Door): Promise<void> {
  const { ledger, log } = tools
  const { name: system, settings } = door
  const courses = openJudgingCourses()
  let held = 0
  for (;;) {
    const deliveries = await ledger.deliveries.unjudged(system, atOnce)
    for (const delivery of deliveries)
      try {
        held += Number(await judgeOne(tools, { door, courses }, delivery))
      } catch (error) {
        const trouble = troubleOf(error)
        if (!trouble) throw error
        // It stays unjudged: the system that knows could not be asked.
        log.event('system.away', { system: settings.confirm ?? system, error: trouble.name })
        await ledger.deliveries.putOff(system, awayMs)
        return
      }
    if (deliveries.length < atOnce) break
  }
  if (held > 0) log.event('delivery.held', { system, count: held })
}

/** @returns whether it waits, because of its course alone */
async function judgeOne(
  tools: JudgeTools,
  { door, courses }: { door: Door; courses: JudgingCourses },
  delivery: Delivery,
): Promise<boolean> {
  const { ledger, log } = tools
  const { id, system } = delivery
  const { confirm: asked } = door.settings
  const { hints: said, problem } = readDelivery(door.settings, delivery)
  // Nobody is issued for what its sender took back; whoever is asked knows by themselves what is true.
  const hints = delivery.voided && asked === undefined ? [] : said
  const heard: HeardEvent[] = []
  for (const hint of hints)
    heard.push(
      asked === undefined
        ? await believe(tools, delivery, hint)
        : await confirm(tools, { system: asked, courses }, hint),
    )
  const held = heard.find((each) => each.held !== null)?.held ?? null
  if (held !== null) {
    // It may be about this learner alone: those who waited behind it are asked about without it the next time.
    await ledger.deliveries.hold(id, held, heard.some(({ refused }) => refused) ? 2 * heldMs : heldMs)
    return true
  }
  const [first] = [...(problem === null ? [] : [problem]), ...heard.flatMap(({ problems }) => problems)]
  if (first !== undefined) {
    log.event('delivery.strange', { system, delivery: id })
    await ledger.deliveries.noteJudged(id, { kind: 'strange', problem: first })
  } else
    await ledger.deliveries.noteJudged(id, { kind: heard.every(({ claimed }) => claimed) ? 'judged' : 'unclaimed' })
  return false
}
