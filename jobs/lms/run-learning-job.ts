// Runs a job of the queue of learning systems.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { Payload } from '#src/platform/queue/queues.ts'
import type { Verdict } from '#src/platform/queue/verdict.ts'
import { deliver } from './deliver.ts'
import { detectDrift } from './detect-drift.ts'
import { pollLms } from './poll-lms.ts'
import { processEvents } from './process-events.ts'
import { retryRefused } from './retry-refused-completions.ts'

export function runLearningJob(tools: ExtensionTools, job: Payload<'learning'>): Promise<Verdict> {
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
