// Erasures: carries out what `credsync forget` requested. Each step can be repeated, so a killed process only leaves work
// for the next sweep. Whatever an issuance still needs (its call, a decision, its revocation, a learning system to be
// told) is waited for, and keeps only that issuance from being emptied.

import type { Tools } from '#jobs/job-tools.ts'
import { describeWaiting } from '#src/issuing/erasures/describe-waiting.ts'
import type { OpenErasure } from '#src/ledger/erasure/open-erasures.ts'

type ErasureTools = Pick<Tools, 'ledger' | 'log'>

/** How many transactions one sweep spends on an erasure, so that the rest of the sweep is not kept waiting. */
const transactionsPerSweep = 4

/** Takes the open erasures as far as they go now, unless another process is doing so. */
export async function carryOutErasures(tools: ErasureTools): Promise<void> {
  const open = await tools.ledger.erasures.open()
  if (open.length === 0) return
  const work = async () => {
    for (const erasure of open) await carryOut(tools, erasure)
  }
  await tools.ledger.locks.withLock('erasures', work, false)
}

async function carryOut({ ledger, log }: ErasureTools, { id, waitsFor }: OpenErasure): Promise<void> {
  const { erasures } = ledger
  await erasures.withdraw(id)
  await erasures.revoke(id)
  for (let left = transactionsPerSweep; left > 0 && (await erasures.emptyNext(id)) > 0; left--);
  if (await erasures.end(id)) return log.event('erasure.ended', { erasure: id })
  const waiting = describeWaiting(await erasures.waiting(id))
  await erasures.noteWaiting(id, waiting)
  if (waiting !== null && waiting !== waitsFor) log.event('erasure.waits', { erasure: id, reason: waiting })
}
