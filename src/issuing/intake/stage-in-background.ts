// Stages a file's rows while the next batch is being read and checked, and hands files over to the workers. Writes to
// the database and the queue.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { NewRun, Run } from '#src/ledger/runs/runs.ts'
import type { Queues } from '#src/platform/queue/open-queues.ts'

/**
 * Checks and stages batches in order, one write at a time. When it returns or throws, no write is in progress, so
 * clearing the staged rows afterwards clears all of them.
 * @returns the number of staged rows
 * @throws whatever reading, checking and staging throw
 */
export async function stageInBackground<Raw, Row>(
  batches: AsyncIterable<Raw>,
  check: (batch: Raw) => readonly Row[],
  stage: (rows: readonly Row[]) => Promise<void>,
): Promise<number> {
  let count = 0
  let staging: Promise<void> = Promise.resolve()
  try {
    for await (const batch of batches) {
      const rows = check(batch)
      await staging
      staging = stage(rows)
      // The promise is awaited below. Until then, a failure must not be reported as an unhandled rejection.
      staging.catch(() => {})
      count += rows.length
    }
    await staging
    return count
  } finally {
    await staging.catch(() => {})
  }
}

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
  // Without this job the run would wait for the next sweep, which also finds it if the job is lost.
  if (received.run.state === 'received') await queues.enqueue('intake', { runId: received.run.id })
  return received
}
