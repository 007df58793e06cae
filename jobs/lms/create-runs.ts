// Creates runs for completions that belong to no run yet, and queues them. Runs are then read like files. Writes to the
// database.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'

/** @returns the number of jobs that were queued */
export async function createRuns({ ledger, queues }: Pick<ExtensionTools, 'ledger' | 'queues'>): Promise<number> {
  let queued = 0
  for (const pipeline of await ledger.completions.waiting())
    for (let runId = await ledger.completions.createRun(pipeline); runId !== null; ) {
      queued += Number(await queues.enqueue('intake', { runId }))
      runId = await ledger.completions.createRun(pipeline)
    }
  return queued
}
