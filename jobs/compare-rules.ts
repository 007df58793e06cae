// Compare: completions whose rows are invalid are tried again when the pipeline's settings, or the course's field list, are not those by which
// they were refused. A file is handed in again for that; a completion has nobody who would.

import { refusalOf } from '#src/intake/refusal.ts'
import { rulesOf } from '#src/learning/rules-of.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import { gatherCompletions } from './gather.ts'
import type { Tools } from './tools.ts'

export type CompareTools = Pick<Tools, 'ledger' | 'learning' | 'pipelines' | 'courses' | 'issuer' | 'queues'>

export async function compareRules(tools: CompareTools, { pipeline }: { pipeline: string }): Promise<Verdict> {
  const { ledger, learning, queues } = tools
  const rules = await presentRules(tools, pipeline)
  if (rules === null) return done()
  for (const judge of await ledger.completions.tryAgain(pipeline, rules))
    if (learning.door(judge)) await queues.ask('learning', { judge })
  await gatherCompletions(tools)
  return done()
}

/** Null where there are none to check a row by: the configuration no longer has the pipeline, or the service does not know its course. */
async function presentRules(
  { learning, pipelines, courses, issuer }: CompareTools,
  name: string,
): Promise<string | null> {
  const pipeline = pipelines.find(name)
  if (!pipeline?.source || !('system' in pipeline.source)) return null
  try {
    const fields = await issuer.fieldList(await courses.uuidOf(pipeline))
    return rulesOf(pipeline, fields, learning.door(pipeline.source.system))
  } catch (error) {
    if (refusalOf(error) === null) throw error
    return null
  }
}
