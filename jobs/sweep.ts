// Sweep: what is due in the ledger and has no live job is asked for. Delete every queue, and this brings all of it back.
// It runs on a timer of our own under an advisory lock; nothing in it depends on a queue's scheduler.

import { inTurns } from '#src/pipelines/in-turns.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import { freeFromStill } from './free-from-still.ts'
import { gatherCompletions } from './gather.ts'
import { loseCalls, noStanding, type Standing } from './lose-calls.ts'
import type { Tools } from './tools.ts'

/** So many batches stand before the door at most. The ledger is the buffer; a short queue can be paused or re-ordered at once. */
const preparedPerCall = 2
/**
 * Where there may be many workers, as many batches are open as the service takes in three seconds: each worker finds something to do, and none
 * waits behind the door for longer than the five seconds for which it is fresh there.
 */
const openSeconds = 3

export interface Swept {
  asked: number
  lost: number
}

/** One sweep, unless another process is at it: by the timer in keep-sweeping.ts. */
export async function sweepNow(tools: Tools, standing: Standing = noStanding): Promise<void> {
  const swept = await tools.ledger.withLock('sweep', () => sweep(tools, standing), false)
  // Whoever sweeps sees to the readings of the report; whoever cannot, to the sweep.
  await freeFromStill(tools, standing, swept ? 'scan' : 'sweep')
}

/** One sweep that begins after this was asked for, by whoever has just made work: one that is under way may have looked already. */
export async function sweepForNews(tools: Tools): Promise<Verdict> {
  await tools.ledger.withLockAfter('sweep', () => sweep(tools))
  return done()
}

/** One sweep. Returns what it found, so that a caller can tell a quiet ledger from a busy one. */
export async function sweep(tools: Tools, standing: Standing = noStanding): Promise<Swept> {
  const { ledger, queues, log } = tools
  const lost = await loseCalls(tools, standing)
  for (const attempt of lost) log.event('attempt.lost', { attempt })
  if (lost.length > 0) await ledger.hurryPoller(0)

  let asked = 0
  for (const runId of await ledger.takeRunsToRead()) asked += Number(await queues.ask('intake', { runId }))
  asked += await prepareBatches(tools)
  const [poll, revocations] = [await ledger.takePoll(), await ledger.revocations.take()]
  if (poll || revocations) asked += Number(await queues.ask('reconcile', { environment: ledger.environment }))
  await ledger.settleRuns()
  for (const runId of await ledger.takeWriteBacks()) asked += Number(await queues.ask('write-back', { runId }))
  for (const pipeline of await ledger.archives.take()) asked += Number(await queues.ask('archive', { pipeline }))
  asked += await askLearning(tools)
  if (asked > 0) log.event('sweep.asked', { count: asked })
  return { asked, lost: lost.length }
}

/** Cuts due rows into batches, up to a few ahead of the senders, and asks for each. */
export async function prepareBatches({
  ledger,
  queues,
  pipelines,
  tuning,
  exclusive,
}: Pick<Tools, 'ledger' | 'queues' | 'pipelines' | 'tuning' | 'exclusive'>): Promise<number> {
  const ahead = tuning.concurrency * preparedPerCall
  const open = await ledger.countOpenAttempts()
  const room = exclusive
    ? ahead - open
    : Math.min(ahead - (await ledger.countPreparedAttempts()), Math.max(ahead, openSeconds * tuning.perSecond) - open)
  const names = room > 0 ? await ledger.pipelinesWithDueRows() : []
  const due = names.map((name) => ({ name, ...pipelines.find(name) }))
  await inTurns(due, room, async ({ name, batch }) => {
    // The configuration no longer has it; `check` names it.
    if (!batch) return false
    const size = Math.min(batch.size, (await ledger.learnedBatchLimit(name)) ?? batch.size)
    return (await ledger.prepareAttempt(name, size, tuning)) !== null
  })
  let asked = 0
  for (const attemptId of await ledger.takeAttemptsToSend())
    asked += Number(await queues.ask('issue', { attemptId: String(attemptId) }))
  return asked
}

/** What learning systems delivered, who of them is due, what they are to be told, and what of theirs has had its time. */
async function askLearning(tools: Pick<Tools, 'ledger' | 'queues' | 'learning' | 'log'>): Promise<number> {
  const { ledger, queues, learning, log } = tools
  let asked = await gatherCompletions(tools)
  for (const judge of await ledger.deliveries.waiting()) asked += Number(await queues.ask('learning', { judge }))
  for (const compare of await ledger.completions.takeToCompare())
    asked += Number(await queues.ask('learning', { compare }))
  for (const ask of await ledger.learningSystems.take()) asked += Number(await queues.ask('learning', { ask }))
  for (const tell of await ledger.tells.waiting(learning.targets))
    asked += Number(await queues.ask('learning', { tell }))
  const count = await ledger.deliveries.forgetBodies(learning.kept)
  if (count > 0) log.event('delivery.forgotten', { count })
  return asked
}
