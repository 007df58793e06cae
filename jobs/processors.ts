// Maps each queue to the function that runs its jobs; a queue without one does not compile. `WorkName` in
// src/cli/job-actions.ts lists the names that `start --only` accepts.

import { deliver } from '#jobs/lms/deliver.ts'
import { detectDrift } from '#jobs/lms/detect-drift.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { processEvents } from '#jobs/lms/process-events.ts'
import { retryRefused } from '#jobs/lms/retry-refused-completions.ts'
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
export type Processors = { [Name in QueueName]: Processor<Name> }

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

function runLearningJob(tools: ExtensionTools, job: Payload<'learning'>): Promise<Verdict> {
  switch (job.kind) {
    case 'process-events':
      return processEvents(tools, job)
    case 'poll':
      return pollLms(tools, job)
    case 'detect-drift':
      return detectDrift(tools, job)
    case 'deliver':
      return deliver(tools, job)
    case 'retry-refused':
      return retryRefused(tools, job)
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

/** Subscribes this process to the queues for the chosen work. */
export async function attachProcessors(
  queues: Queues,
  tools: ExtensionTools,
  chosenWork: ReadonlySet<WorkName>,
): Promise<void> {
  const processors = processorsFor(tools)
  if (chosenWork.has('intake')) await queues.work('intake', processors.intake)
  if (chosenWork.has('intake')) await queues.work('learning', processors.learning)
  if (chosenWork.has('issue')) await queues.work('issue', processors.issue, { concurrency: tools.senders.jobsAtOnce })
  if (chosenWork.has('reconcile')) await queues.work('reconcile', processors.reconcile)
  if (chosenWork.has('write-back')) await queues.work('write-back', processors['write-back'])
  if (chosenWork.has('archive')) await queues.work('archive', processors.archive)
  if (chosenWork.has('sweep')) await queues.work('sweep', processors.sweep)
}
