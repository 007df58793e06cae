// Erasures: carries out what `credsync forget` requested. Each step can be repeated, so a killed process only leaves work
// for the next sweep. Whatever an issuance still needs (its call, a decision, its revocation, a learning system to be
// told) is waited for, and keeps only that issuance from being emptied.

import type { Tools } from '#jobs/job-tools.ts'
import { describeWaiting } from '#src/issuing/erasures/describe-waiting.ts'
import type { OpenErasure } from '#src/ledger/erasure/open-erasures.ts'
import { type SearchedEvents, waitsForEvents } from '#src/ledger/lms/empty-events.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { FileTime } from './file-time.ts'
import { recordErasures } from './record-erasures.ts'
import { removeFiles } from './remove-files.ts'

type ErasureTools = Pick<Tools, 'ledger' | 'log' | 'learning' | 'outbox' | 'clock' | 'archives' | 'erasuresFile'>

/** How many transactions one sweep spends on an erasure, so that the rest of the sweep is not kept waiting. */
const transactionsPerSweep = 4

/**
 * How long one sweep writes and removes files of all erasures. A list of every night for years shows a person
 * hundreds of times, and nothing else of the sweep is done meanwhile.
 */
const filesPerSweepMs = 2_000

/** Pages of 500 events: what they take, a sweep prepares no batch. */
const eventPagesPerSweep = 4

/** Takes the open erasures as far as they go now, unless another process is doing so. */
export async function carryOutErasures(tools: ErasureTools): Promise<void> {
  const open = await tools.ledger.erasures.open()
  if (open.length === 0) return
  const work = async () => {
    const unlisted = await recordErasures(tools)
    const fileTime = { leftMs: filesPerSweepMs }
    for (const erasure of open)
      await carryOut(tools, erasure, fileTime, unlisted.get(erasure.id)).catch((error: Error) =>
        tools.log.event('fault', { where: 'erasure', error: faultName(error) }),
      )
  }
  await tools.ledger.locks.withLock('erasures', work, false)
}

/** @param unlisted why it is not listed outside the ledger, if it is not: then nothing of it may be carried out */
async function carryOut(
  tools: ErasureTools,
  erasure: OpenErasure,
  fileTime: FileTime,
  unlisted?: string,
): Promise<void> {
  if (unlisted !== undefined) return wait(tools, erasure, unlisted)
  const { id } = erasure
  const { ledger } = tools
  await ledger.erasures.withdraw(id)
  await ledger.erasures.revoke(id)
  // Bodies of events and files have limits of their own: nobody asked for these people to be searched for.
  const isRequested = erasure.kind === 'request'
  const confirmed = tools.learning.endpoints.flatMap(({ name, confirm }) => (confirm === null ? [] : [[name, confirm]]))
  const search = { confirming: Object.fromEntries(confirmed), searched: new Set<number>() }
  const events = isRequested ? await searchEvents(tools, erasure, search) : null
  if (events === null && !(await emptyAll(tools, id, search))) return
  const people = events ?? describeWaiting(await ledger.erasures.waiting(id))
  // The files of those who are emptied do not wait for the others.
  const files = isRequested && events === null ? await removeFiles(tools, id, fileTime) : null
  const waiting = [people, files].filter((each) => each !== null).join(' ') || null
  if (waiting === null && (await ledger.erasures.end(id))) return tools.log.event('erasure.ended', { erasure: id })
  await wait(tools, erasure, waiting)
}

async function wait({ ledger, log }: ErasureTools, { id, waitsFor }: OpenErasure, reason: string | null) {
  if (reason === waitsFor) return
  await ledger.erasures.noteWaiting(id, reason)
  if (reason !== null) log.event('erasure.waits', { erasure: id, reason })
}

/**
 * Deletes the bodies of inbound events first: people are found in them by the data that are emptied later.
 * @returns what the erasure waits for, if an event keeps it from being emptied
 */
async function searchEvents(
  { ledger }: ErasureTools,
  { id, waitingEvents }: OpenErasure,
  search: SearchedEvents,
): Promise<string | null> {
  const waiting = (await ledger.erasures.eventsAreDue(id))
    ? await ledger.erasures.emptyEvents(id, { ...search, pages: eventPagesPerSweep })
    : waitingEvents
  if (waiting === null) return 'The events of learning systems are being searched.'
  return waiting.length === 0 ? null : waitsForEvents(waiting)
}

/** @returns false if there is more to empty than one sweep may take */
async function emptyAll({ ledger }: ErasureTools, id: string, search: SearchedEvents): Promise<boolean> {
  for (let left = transactionsPerSweep; left > 0; left--)
    if ((await ledger.erasures.emptyNext(id, search)) === 0) return true
  return false
}
