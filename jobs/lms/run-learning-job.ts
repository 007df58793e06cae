// Runs a job of the queue of learning systems, and retries completions whose rows were refused.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { rulesHashOf } from '#src/extensions/lms/sync/rows-of-system.ts'
import { refusalOf } from '#src/issuing/intake/refusing-errors.ts'
import type { Payload } from '#src/platform/queue/queues.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import { deliver } from './deliver.ts'
import { detectDrift } from './detect-drift.ts'
import { pollLms } from './poll-lms.ts'
import { createRuns, processEvents } from './process-events.ts'

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

type RetryTools = Pick<ExtensionTools, 'ledger' | 'learning' | 'pipelines' | 'courses' | 'issuer' | 'queues'>

/**
 * Retries completions with invalid rows when the pipeline's settings or the course's field list have changed since the
 * row was refused. A file can be submitted again, but a completion cannot. Reads the field list from the service, and
 * writes to the database.
 */
export async function retryRefused(tools: RetryTools, { pipeline }: { pipeline: string }): Promise<Verdict> {
  const { ledger, learning, queues } = tools
  const rules = await currentRulesHash(tools, pipeline)
  if (rules === null) return done()
  for (const system of await ledger.completions.tryAgain(pipeline, rules))
    if (learning.endpoint(system)) await queues.enqueue('learning', { kind: 'process-events', system })
  await createRuns(tools)
  return done()
}

/**
 * Returns null when there are no rules to check a row against: the pipeline is no longer in the configuration, or the
 * service does not have its course.
 */
async function currentRulesHash(
  { learning, pipelines, courses, issuer }: RetryTools,
  name: string,
): Promise<string | null> {
  const pipeline = pipelines.find(name)
  if (!pipeline?.source || !('system' in pipeline.source)) return null
  try {
    const fields = await issuer.fieldList(await courses.uuidOf(pipeline))
    const { system } = pipeline.source
    return rulesHashOf(pipeline, fields, learning.endpoint(system))
  } catch (error) {
    if (refusalOf(error) === null) throw error
    return null
  }
}
