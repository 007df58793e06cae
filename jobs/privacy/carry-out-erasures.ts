// Erasures: carries out what `credsync forget` requested. Each step can be repeated, so a killed process only leaves
// work for the next sweep. Whatever an issuance still needs (its call, a decision, its revocation, a report to a
// learning system) is waited for, and keeps only that issuance from being emptied.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { describeWaiting } from '#src/extensions/privacy/describe-waiting.ts'
import { waitsForEvents } from '#src/extensions/privacy/ledger/empty-events.ts'
import type { OpenErasure } from '#src/extensions/privacy/ledger/erasure-store.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { removeFiles } from './clean-run-files.ts'
import { recordErasures } from './erasure-record.ts'
import type { FileTime } from './remove-archived-certificates.ts'

type ErasureTools = Pick<
  ExtensionTools,
  'ledger' | 'log' | 'learning' | 'outbox' | 'clock' | 'archives' | 'erasuresFile'
>

/** How much of an erasure one sweep carries out, so that the rest of the sweep is not kept waiting. */
interface Limits {
  transactions: number
  /** Pages of 500 events. While they are searched, the sweep prepares no batch. */
  eventPages: number
  /**
   * How long the files of all erasures may be written and removed. If there was a list every night for years, hundreds
   * of them show a person, and the sweep does nothing else in that time.
   */
  filesMs: number
}

const perSweep: Limits = { transactions: 4, eventPages: 4, filesMs: 2_000 }
/** For a command, which does nothing else. */
const toTheEnd: Limits = { transactions: Infinity, eventPages: Infinity, filesMs: Infinity }

export const carryOutToTheEnd = (tools: ErasureTools) => carryOutErasures(tools, toTheEnd)

/** Carries out the open erasures as far as they can go now, unless another process is doing so. */
export async function carryOutErasures(tools: ErasureTools, limits: Limits = perSweep): Promise<void> {
  const open = await tools.ledger.erasures.open()
  if (open.length === 0) return
  const work = async () => {
    const unlisted = await recordErasures(tools)
    const fileTime = { leftMs: limits.filesMs }
    for (const erasure of open)
      await carryOut(tools, erasure, { ...limits, fileTime }, unlisted.get(erasure.id)).catch((error: Error) =>
        tools.log.event('fault', { where: 'erasure', error: faultName(error) }),
      )
  }
  await tools.ledger.locks.withLock('erasures', work, false)
}

/**
 * @param unlisted why the erasure could not be listed outside the ledger; if given, nothing of it may be carried out
 */
async function carryOut(
  tools: ErasureTools,
  erasure: OpenErasure,
  limits: Limits & { fileTime: FileTime },
  unlisted?: string,
): Promise<void> {
  if (unlisted !== undefined) return wait(tools, erasure, unlisted)
  const { id } = erasure
  const { ledger } = tools
  await ledger.erasures.withdraw(id)
  await ledger.erasures.revoke(id)
  // Without a request, nobody asked to search for these people: bodies of events and files expire by their own
  // settings.
  const isRequested = erasure.kind === 'request'
  const confirming = tools.learning.confirmedBy
  if (await ledger.erasures.isDue(id)) {
    const events = isRequested ? await ledger.erasures.emptyEvents(id, confirming, limits.eventPages) : null
    if (events?.waiting.length) return wait(tools, erasure, waitsForEvents(events.waiting))
    if (events?.isDone === false) return wait(tools, erasure, 'The events of learning systems are being searched.')
    for (let left = limits.transactions; left > 0; left--)
      if ((await ledger.erasures.emptyNext(id, confirming)) === 0) break
      else if (left === 1) return
  }
  const people = describeWaiting(await ledger.erasures.waiting(id))
  // The files of people who are already emptied do not wait for the others.
  const files = isRequested ? await removeFiles(tools, id, limits.fileTime) : null
  const waiting = [people, files].filter((each) => each !== null).join(' ') || null
  if (waiting === null && erasure.isHeldByEvent) return
  if (waiting === null && (await ledger.erasures.end(id))) return tools.log.event('erasure.ended', { erasure: id })
  await wait(tools, erasure, waiting)
}

async function wait({ ledger, log }: ErasureTools, { id, waitsFor }: OpenErasure, reason: string | null) {
  if (reason === waitsFor) return
  await ledger.erasures.noteWaiting(id, reason)
  if (reason !== null) log.event('erasure.waits', { erasure: id, reason })
}
