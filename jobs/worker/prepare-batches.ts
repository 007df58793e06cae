// Prepares batches ahead of the senders, and queues a job for each.

import type { Tools } from '#jobs/job-tools.ts'
import { roundRobin } from '#src/issuing/pipelines/round-robin.ts'

type PrepareTools = Pick<Tools, 'ledger' | 'queues' | 'pipelines' | 'tuning' | 'senders'>

/**
 * Batches prepared ahead for each job that a worker takes: few, so that pauses and priorities take effect quickly, and
 * enough that some are left in the queue when more are prepared.
 */
const preparedPerJob = 2
/**
 * All workers together have at most as many batches open as the service accepts in three seconds. That is enough for
 * each worker to find work, and few enough that no batch waits at the gate for longer than the five seconds for which a
 * claim is fresh.
 */
const openSeconds = 3
/**
 * Rows prepared in one transaction: enough that its cost hardly counts, and few enough that the first are sent soon.
 */
const rowsAtOnce = 1_000

/**
 * Divides due rows into batches and queues a job for each. One caller of this process does it once for all who call in
 * the meantime: the sweep calls this, too, and must not be delayed while others send. Nothing is prepared while enough
 * batches are left, so that several are prepared together.
 * @returns how many jobs were queued
 */
export function prepareBatches(tools: PrepareTools): Promise<number> {
  return tools.senders.prepareByOne(() => prepare(tools))
}

async function prepare(tools: PrepareTools): Promise<number> {
  const { ledger, pipelines, tuning } = tools
  const room = await roomFor(tools)
  const pipelineNames = room > 0 ? await ledger.work.pipelinesWithDueRows() : []
  const due = pipelineNames.map((name) => ({ name, ...pipelines.find(name) }))
  let queued = 0
  await roundRobin(due, room, async ({ name, batch }, count) => {
    // The configuration no longer has the pipeline; `check` reports that.
    if (!batch) return 0
    const size = Math.min(batch.size, (await ledger.courses.learnedBatchLimit(name)) ?? batch.size)
    const batches = Math.min(count, Math.max(1, Math.floor(rowsAtOnce / size)))
    const { length } = await ledger.attempts.prepare(name, size, { canary: tuning.canary, batches })
    if (length > 0) queued += await queuePrepared(tools)
    return length
  })
  return queued + (await queuePrepared(tools))
}

/** The number of batches to prepare now: none while more than half of those to be prepared ahead are left. */
async function roomFor({ ledger, tuning, senders }: PrepareTools): Promise<number> {
  const ahead = senders.jobsAtOnce() * preparedPerJob
  const maxOpen = Math.max(ahead, openSeconds * tuning.perSecond)
  const [preparedCount, openCount] = await Promise.all([ledger.attempts.countPrepared(), ledger.attempts.countOpen()])
  const room = Math.min(ahead - preparedCount, maxOpen - openCount)
  return room >= ahead / 2 ? room : 0
}

async function queuePrepared({ ledger, queues }: PrepareTools): Promise<number> {
  const attemptIds = await ledger.work.takeAttemptsToSend()
  const queued = await Promise.all(attemptIds.map((id) => queues.enqueue('issue', { attemptId: String(id) })))
  return queued.filter(Boolean).length
}
