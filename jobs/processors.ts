// Maps each queue to the function that runs its jobs; a queue without one does not compile. `WorkName` in
// src/cli/job-actions.ts lists the names that `start --only` accepts.

import { runLearningJob } from '#jobs/lms/run-learning-job.ts'
import { prepareBatches } from '#jobs/worker/prepare-batches.ts'
import { sweepForNewWork } from '#jobs/worker/sweep.ts'
import type { WorkName } from '#src/cli/job-actions.ts'
import { LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import type { Queues } from '#src/platform/queue/open-queues.ts'
import type { Payload, QueueName } from '#src/platform/queue/queues.ts'
import { snooze, type Verdict } from '#src/platform/queue/verdict.ts'
import { archive } from './certificates/archive.ts'
import { collect } from './collect.ts'
import type { ExtensionTools } from './extension-jobs.ts'
import { intake } from './intake.ts'
import { issue } from './issue.ts'
import { withObstacleNotes } from './note-obstacles.ts'
import { reconcile } from './reconcile.ts'
import { watch } from './watch-issued.ts'
import { writeBack } from './write-back.ts'

type Processor<Name extends QueueName> = (payload: Payload<Name>, context: { signal: AbortSignal }) => Promise<Verdict>
type AllProcessors = { [Name in QueueName]: Processor<Name> }
/** Those of the core are always there. */
export type Processors = Partial<AllProcessors> & Omit<AllProcessors, 'archive' | 'learning'>

export function processorsFor(tools: ExtensionTools): Processors {
  return {
    collect: (payload, { signal }) => snoozeIfClosing(collect(tools, payload, signal)),
    // Batches are prepared as soon as rows are published, not at the next sweep: an idle worker sends at once.
    intake: (payload) =>
      withObstacleNotes(
        tools,
        'intake',
        snoozeIfClosing(intake({ ...tools, onPublished: () => prepareBatches(tools) }, payload)),
      ),
    issue: ({ attemptId }, { signal }) =>
      withObstacleNotes(tools, 'issue', snoozeIfClosing(issue(tools, { attemptId: Number(attemptId) }, signal))),
    reconcile: (payload) =>
      payload.kind === 'watch'
        ? snoozeIfClosing(watch(tools))
        : withObstacleNotes(tools, 'reconcile', snoozeIfClosing(reconcile(tools))),
    'write-back': (payload) => snoozeIfClosing(writeBack(tools, payload)),
    archive: (payload, { signal }) => snoozeIfClosing(archive(tools, payload, signal)),
    learning: (payload) => snoozeIfClosing(runLearningJob(tools, payload)),
    sweep: () => snoozeIfClosing(sweepForNewWork(tools)),
  }
}

/**
 * Gates close when a worker or a command stops. A job waiting at a gate has sent nothing and has not failed, so the
 * next worker picks it up.
 */
async function snoozeIfClosing(work: Promise<Verdict>): Promise<Verdict> {
  try {
    return await work
  } catch (error) {
    if (error instanceof LimitsClosedError) return snooze(1_000, 'the worker is stopping')
    throw error
  }
}

/** Which work of a worker takes jobs from each queue. Inboxes are watched only where lists are collected. */
const workOfQueue: Readonly<Record<Exclude<QueueName, 'collect'>, WorkName>> = {
  intake: 'intake',
  learning: 'intake',
  issue: 'issue',
  reconcile: 'reconcile',
  'write-back': 'write-back',
  archive: 'archive',
  sweep: 'sweep',
}

/** Subscribes this process to the queues for the chosen work. */
export async function attachProcessors(
  queues: Queues,
  tools: ExtensionTools,
  chosenWork: ReadonlySet<WorkName>,
): Promise<void> {
  const processors: Partial<AllProcessors> = processorsFor(tools)
  const attach = async <Name extends keyof typeof workOfQueue>(name: Name, concurrency?: () => number) => {
    const processor = processors[name]
    if (processor && chosenWork.has(workOfQueue[name]))
      await queues.work(name, processor, concurrency && { concurrency })
  }
  for (const name of typedKeys(workOfQueue)) await attach(name, name === 'issue' ? tools.senders.jobsAtOnce : undefined)
}

const typedKeys = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as Key[]
