// Hands a file over to the workers: creates its run, or finds the unfinished run of the same content. Writes the database
// and the queue.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { NewRun, Run } from '#src/ledger/runs/runs.ts'
import type { Queues } from '#src/platform/queue/open-queues.ts'

export interface HandOverTools {
  ledger: { runs: Pick<Ledger['runs'], 'receive'> }
  queues: Pick<Queues, 'enqueue'>
}

/** The worker reads the file only if its content still has the hash of `source`. */
export async function handOverFile(
  { ledger, queues }: HandOverTools,
  source: NewRun,
): Promise<{ run: Run; resumed: boolean }> {
  const received = await ledger.runs.receive(source)
  // So that no worker waits for its next sweep, which finds the run if this job is lost.
  if (received.run.state === 'received') await queues.enqueue('intake', { runId: received.run.id })
  return received
}
