// Hands a file over to the workers, which read it. Writes to the database and the queue.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { NewRun, Run } from '#src/ledger/runs/runs.ts'
import type { Queues } from '#src/platform/queue/open-queues.ts'

interface HandOverTools {
  ledger: { runs: Pick<Ledger['runs'], 'receive'> }
  queues: Pick<Queues, 'enqueue'>
}

/**
 * Hands a file over to the workers: creates its run, or finds the unfinished run of the same content. The worker reads
 * the file only if its content still has the hash of `source`.
 */
export async function handOverFile(
  { ledger, queues }: HandOverTools,
  source: NewRun,
): Promise<{ run: Run; resumed: boolean }> {
  const received = await ledger.runs.receive(source)
  // Without this job the run would wait for the next sweep, which also finds the run if the job is lost.
  if (received.run.state === 'received') await queues.enqueue('intake', { runId: received.run.id })
  return received
}
