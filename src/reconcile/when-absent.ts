// A row that was sent, whose outcome nobody knows, and that a complete reading of the report does not show: what now? Pure.
// The order of the rungs is the argument: every one but the last keeps the row from being sent again.

import { type Decision, stay, take } from './decision.ts'
import type { Policy } from './policy.ts'

export interface PastCall {
  /** An unknown outcome, or a batch that was refused in words and may have been applied in part. */
  outcome: 'unknown' | 'refused'
  /** Rows in its batch. */
  size: number
  /** When the call ended or was given up, whichever came first. */
  overAt: Date
  /** The report shows another row of the batch: the batch arrived, so this row is late or refused, not lost. */
  batchShown: boolean
}

export interface Absence {
  /** When the reading began, on the database's clock. */
  scanBegan: Date
  /** This reading shows a row of the same course that was sent later and accepted: it works, and it is not behind. */
  controlShown: boolean
}

export interface Doubted {
  call: PastCall
  /** Looks so far, and those among them in which a control was visible. */
  looks: number
  controlledLooks: number
  lastLookAt: Date | null
  resends: number
}

export function whenAbsent(row: Doubted, absence: Absence, policy: Policy): Decision {
  const counts = isLook(row, absence, policy.graceMs[row.call.outcome])
  const looks = row.looks + (counts ? 1 : 0)
  // A reading that may be behind proves nothing, and two of them prove nothing either.
  const controlledLooks = row.controlledLooks + (counts && absence.controlShown ? 1 : 0)
  return { ...judge({ ...row, looks, controlledLooks }, policy), countsAsLook: counts }
}

/** A look begins a grace after the call was over, and a grace after the last look. */
function isLook({ call, lastLookAt }: Doubted, { scanBegan }: Absence, graceMs: number): boolean {
  const since = lastLookAt && lastLookAt > call.overAt ? lastLookAt : call.overAt
  return scanBegan.getTime() >= since.getTime() + graceMs
}

function judge({ call, looks, controlledLooks, resends }: Doubted, policy: Policy): Decision {
  if (looks < policy.looks) return stay
  if (call.batchShown)
    return looks < policy.looksWithoutBatch
      ? stay
      : hold('others of its batch are in the report, this one is not: the service took the batch in part')
  // Refused in words and wholly absent: nothing was applied. Halves find the row that the service objects to.
  if (call.outcome === 'refused') return sendAgain({ batchCap: Math.max(1, Math.floor(call.size / 2)) })
  if (policy.resends === 0) return hold('its outcome is unknown, and the configuration allows no re-send')
  if (resends >= policy.resends) return hold('its outcome is unknown for the second time')
  if (controlledLooks < policy.looks)
    return looks < policy.looksWithoutControl
      ? stay
      : hold('the report shows nothing that was sent later either, so its absence proves nothing')
  return sendAgain({ countsAsResend: true })
}

function sendAgain(more: Partial<Decision>): Decision {
  const reason = 'the report proves that the service did not take it; it is sent again'
  return take([{ to: 'pending', event: 'proven not applied', reason }], more)
}

function hold(reason: string): Decision {
  return take([{ to: 'held', event: 'held for a person', reason }])
}
