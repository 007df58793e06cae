// Retries completions with invalid rows when the pipeline's settings or the course's field list have changed since the
// row was refused. A file can be submitted again, but a completion cannot. Reads the field list from the service, and
// writes to the database.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { rulesHashOf } from '#src/extensions/lms/sync/rules-hash.ts'
import { refusalOf } from '#src/issuing/intake/refusing-errors.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import { createRuns } from './create-runs.ts'

export type RetryTools = Pick<ExtensionTools, 'ledger' | 'learning' | 'pipelines' | 'courses' | 'issuer' | 'queues'>

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
    return rulesHashOf(pipeline, fields, learning.endpoint(system), learning.languageOf(system))
  } catch (error) {
    if (refusalOf(error) === null) throw error
    return null
  }
}
