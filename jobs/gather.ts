// Gather: completions that no run holds become runs, which are then read like files.

import type { Tools } from './tools.ts'

export async function gatherCompletions({ ledger, queues }: Pick<Tools, 'ledger' | 'queues'>): Promise<number> {
  let asked = 0
  for (const pipeline of await ledger.completions.waiting())
    for (let runId = await ledger.completions.gather(pipeline); runId !== null; ) {
      asked += Number(await queues.ask('intake', { runId }))
      runId = await ledger.completions.gather(pipeline)
    }
  return asked
}
