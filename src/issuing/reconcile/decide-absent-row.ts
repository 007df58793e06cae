// Decides what happens to a row whose call has an unknown outcome or was refused, and which a complete scan of the
// report does not show. The order of the checks matters: a row is sent again only if no earlier check prevents it.
// Pure.

import { type Decision, stay, take } from './decision.ts'
import type { Policy } from './policy.ts'

export interface PastCall {
  /** The outcome is unknown, or the batch was refused with a message and may have been applied in part. */
  outcome: 'unknown' | 'refused'
  /** The number of rows in the batch. */
  size: number
  /** When the call ended or was given up, whichever came first. */
  overAt: Date
  /**
   * Whether the report shows another row of the batch. If it does, the batch arrived, and this row is late or refused
   * rather than lost.
   */
  batchShown: boolean
}

export interface Absence {
  /** When the scan started, on the database's clock. */
  scanStartedAt: Date
  /**
   * Whether this scan shows a row of the same course that was sent later and accepted. If it does, the report works and
   * is up to date.
   */
  controlShown: boolean
}

export interface UnconfirmedRow {
  call: PastCall
  /** The number of looks so far, and how many of these showed a control. */
  looks: number
  controlledLooks: number
  lastLookAt: Date | null
  resends: number
}

export function whenAbsent(row: UnconfirmedRow, absence: Absence, policy: Policy): Decision {
  const counts = isLook(row, absence, policy.graceMs[row.call.outcome])
  const looks = row.looks + (counts ? 1 : 0)
  // A report that shows no control may lag behind, so its scans prove nothing, however often they are repeated.
  const controlledLooks = row.controlledLooks + (counts && absence.controlShown ? 1 : 0)
  return { ...decideAbsent({ ...row, looks, controlledLooks }, policy), countsAsLook: counts }
}

/**
 * A scan counts as a look if it started at least one grace period after both the end of the call and the previous look.
 */
function isLook({ call, lastLookAt }: UnconfirmedRow, { scanStartedAt }: Absence, graceMs: number): boolean {
  const since = lastLookAt && lastLookAt > call.overAt ? lastLookAt : call.overAt
  return scanStartedAt.getTime() >= since.getTime() + graceMs
}

function decideAbsent({ call, looks, controlledLooks, resends }: UnconfirmedRow, policy: Policy): Decision {
  if (looks < policy.looks) return stay
  if (call.batchShown)
    return looks < policy.looksWithoutBatch
      ? stay
      : hold('other rows of its batch are in the report, this row is not: the service accepted only part of the batch')
  // The batch was refused with a message and none of its rows is shown, so nothing was applied. Halving the batch finds
  // the row that the service rejects.
  if (call.outcome === 'refused') return sendAgain({ batchCap: Math.max(1, Math.floor(call.size / 2)) })
  if (policy.resends === 0) return hold('its outcome is unknown, and the configuration allows no re-send')
  if (resends >= policy.resends) return hold(`its outcome is unknown for the ${ordinals[resends]} time`)
  if (controlledLooks < policy.looks)
    return looks < policy.looksWithoutControl
      ? stay
      : hold('the report shows nothing that was sent later either, so its absence proves nothing')
  return sendAgain({ countsAsResend: true })
}

/** Indexed by the number of previous resends. The configuration allows at most five. */
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

function sendAgain(more: Partial<Decision>): Decision {
  const reason = 'the report proves that the service did not process the request, so it is sent again'
  return take([{ to: 'pending', event: 'proven not applied', reason }], more)
}

function hold(reason: string): Decision {
  return take([{ to: 'held', event: 'held for a person', reason }])
}
