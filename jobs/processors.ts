// The table of queues and stories. A queue without its story does not compile. Which parts there are: src/cli/doing.ts.

import type { WorkName } from '#src/cli/doing.ts'
import { LimitsClosedError } from '#src/limits/limits-closed-error.ts'
import type { Queues } from '#src/queue/open-queues.ts'
import type { Payload, QueueName } from '#src/queue/queues.ts'
import { snooze, type Verdict } from '#src/queue/verdict.ts'
import { archive } from './archive.ts'
import { askSystem } from './ask-system.ts'
import { collect } from './collect.ts'
import { compareRules } from './compare-rules.ts'
import { intake } from './intake.ts'
import { issue } from './issue.ts'
import { judge } from './judge.ts'
import { lookBack } from './look-back.ts'
import { reconcile } from './reconcile.ts'
import { sweepForNews } from './sweep.ts'
import { tell } from './tell.ts'
import type { Tools } from './tools.ts'
import { writeBack } from './write-back.ts'

type Processor<Name extends QueueName> = (payload: Payload<Name>, context: { signal: AbortSignal }) => Promise<Verdict>
export type Processors = { [Name in QueueName]: Processor<Name> }

export function processorsFor(tools: Tools): Processors {
  return {
    collect: (payload, { signal }) => unlessClosing(collect(tools, payload, signal)),
    intake: (payload) => unlessClosing(intake(tools, payload)),
    issue: ({ attemptId }, { signal }) => unlessClosing(issue(tools, { attemptId: Number(attemptId) }, signal)),
    reconcile: () => unlessClosing(reconcile(tools)),
    'write-back': (payload) => unlessClosing(writeBack(tools, payload)),
    archive: (payload, { signal }) => unlessClosing(archive(tools, payload, signal)),
    learning: (payload) => unlessClosing(learn(tools, payload)),
    sweep: () => unlessClosing(sweepForNews(tools)),
  }
}

function learn(tools: Tools, payload: Payload<'learning'>): Promise<Verdict> {
  if ('judge' in payload) return judge(tools, { system: payload.judge })
  if ('ask' in payload) return askSystem(tools, { system: payload.ask })
  if ('compare' in payload) return compareRules(tools, { pipeline: payload.compare })
  if ('look' in payload) return lookBack(tools, { system: payload.look })
  return tell(tools, { pipeline: payload.tell })
}

/** Gates close when a worker or a command ends. What waited at one was not sent, and nothing failed: it is the next worker's. */
async function unlessClosing(story: Promise<Verdict>): Promise<Verdict> {
  try {
    return await story
  } catch (error) {
    if (error instanceof LimitsClosedError) return snooze(1_000, 'the worker is stopping')
    throw error
  }
}

/** Attaches the stories that this process is to do. */
export async function attach(queues: Queues, tools: Tools, only: ReadonlySet<WorkName>): Promise<void> {
  const processors = processorsFor(tools)
  if (only.has('intake')) await queues.work('intake', processors.intake)
  if (only.has('intake')) await queues.work('learning', processors.learning)
  if (only.has('issue')) await queues.work('issue', processors.issue, { concurrency: tools.tuning.concurrency })
  if (only.has('reconcile')) await queues.work('reconcile', processors.reconcile)
  if (only.has('write-back')) await queues.work('write-back', processors['write-back'])
  if (only.has('archive')) await queues.work('archive', processors.archive)
  if (only.has('sweep')) await queues.work('sweep', processors.sweep)
}
