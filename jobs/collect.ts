// Collect: what lies in an inbox becomes runs, and the files of finished runs are put away. When to look is the ledger's to know: asking
// twice, or too early, does nothing, and asking never is made good by the sweep.

import { InboxError } from '#src/inbox/inbox-error.ts'
import { leftLying, leftPage } from '#src/inbox/left-lying.ts'
import type { WatchedInbox } from '#src/inbox/open-inboxes.ts'
import { type Due, dueLook, firstMemory, type LookMemory } from '#src/inbox/when-to-look.ts'
import type { FinishedLook } from '#src/ledger/inboxes.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import { putSettledAway } from './put-settled-away.ts'
import { receive, receiveLeftBehind } from './receive-files.ts'
import type { Tools } from './tools.ts'

type CollectTools = Pick<Tools, 'ledger' | 'inboxes' | 'queues' | 'log' | 'clock' | 'outbox'>

/** A copy of what is just being read is kept until that was read, or refused. */
const waitMs = 60_000

export async function collect(tools: CollectTools, of: { pipeline: string }, signal?: AbortSignal): Promise<Verdict> {
  const inbox = tools.inboxes.find(of.pipeline)
  // Renaming lets one worker win each file; the lock only spares the others the looking.
  if (inbox) await tools.ledger.withLock(`collect:${of.pipeline}`, () => tend(tools, inbox, signal), false)
  return done()
}

async function tend(tools: CollectTools, inbox: WatchedInbox, signal?: AbortSignal): Promise<void> {
  const { ledger, log } = tools
  const { pipeline } = inbox
  const memory = await ledger.inboxes.lookOf(pipeline, firstMemory(inbox.schedule, tools.clock.now()))
  try {
    const waiting = await receiveLeftBehind(tools, inbox)
    const finished = await lookWhenDue(tools, inbox, { memory, waiting }, signal)
    if (finished) await ledger.inboxes.noteLook(pipeline, finished)
    // Last: a file whose folder is gone must not keep others from being taken.
    await putSettledAway(tools, inbox)
    await ledger.inboxes.noteTended(pipeline)
  } catch (error) {
    if (!(error instanceof InboxError)) throw error
    const isNews = await ledger.inboxes.noteProblem(pipeline, error.message)
    if (isNews) log.event('inbox.unusable', { pipeline, code: error.code })
  }
}

async function lookWhenDue(
  tools: CollectTools,
  inbox: WatchedInbox,
  { memory, waiting }: { memory: LookMemory; waiting: number },
  signal?: AbortSignal,
): Promise<FinishedLook | null> {
  const { schedule, settleMs } = inbox
  const at = tools.clock.now()
  const due = dueLook(schedule, memory, at)
  const soon = (ms: number) => new Date(at.getTime() + ms)
  const again = waiting > 0 ? soon(waitMs) : null
  if (!due) {
    const planned = memory.againAt && memory.againAt > at ? memory.againAt : null
    return { at, againAt: planned ?? again, look: null }
  }
  const looked = await takeSettled(tools, inbox, signal)
  // Whoever is told to stop has not looked: the next worker does.
  if (signal?.aborted) return null
  tellMissed(tools, inbox, due)
  const againAt = looked.unready > 0 ? soon(settleMs) : looked.waiting > 0 ? soon(waitMs) : again
  return { at, againAt, look: { ...due, files: looked.files, leftLying: looked.lying } }
}

async function takeSettled(tools: CollectTools, inbox: WatchedInbox, signal?: AbortSignal) {
  const { pipeline } = inbox
  const { ready, unready, left, strange } = await inbox.look()
  const lying = leftLying(left, inbox)
  await inbox.tellLeft(lying && leftPage(lying, tools.clock.now()))
  for (const reason of strange) tools.log.event('inbox.strange', { pipeline, reason })
  const counts = { files: 0, unready, waiting: 0, lying }
  for (const name of ready) {
    if (signal?.aborted) break
    const file = await inbox.take(name)
    if (!file) counts.unready++
    else counts.waiting += await receive(tools, inbox, file)
    if (file) counts.files++
  }
  if (counts.files > 0) tools.log.event('inbox.taken', { pipeline, count: counts.files })
  return counts
}

function tellMissed({ log }: CollectTools, { pipeline }: WatchedInbox, { missed }: Due): void {
  if (missed) log.event('inbox.missed', { pipeline, due: missed.at.toISOString(), count: missed.count })
}
