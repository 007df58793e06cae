// A row that was sent, whose outcome nobody knows, and that the report does not show: what now? Pure.
// The order of the rungs is the argument: every one but the last keeps the row from being sent again.

export interface Doubt {
  /** What became of the call: an unknown outcome, or a batch that was refused in words and may have been applied in part. */
  outcome: 'unknown' | 'refused'
  batchSize: number
  /** Complete scans, each begun after deadline and grace and each a grace apart, that did not show the row. */
  looks: number
  /** The report shows another row of the same batch: the batch arrived, so this row is late or refused, not lost. */
  siblingVisible: boolean
  /** The report shows a row of the same course that was sent later and accepted: the search works and is not behind. */
  controlVisible: boolean
  /** Automatic re-sends that this row has had in its life. */
  resends: number
}

export type AbsenceStep =
  | { step: 'wait' }
  /** Proven not applied: it may be sent again, in batches of at most `cap` where one is given. */
  | { step: 'send again'; cap: number | null; countsAsResend: boolean }
  | { step: 'hold'; reason: string }

/** Two, a grace apart: one look can fall into the very minute in which an index is rebuilt. */
export const looksNeeded = 2
/** A grace apart each: at the default of six hours a person is asked after two days without a control, twelve without the rest of a batch. */
const looksForControl = 8
const looksForSibling = 48

export function decideAbsent(doubt: Doubt): AbsenceStep {
  if (doubt.looks < looksNeeded) return { step: 'wait' }
  if (doubt.siblingVisible) {
    if (doubt.looks < looksForSibling) return { step: 'wait' }
    return {
      step: 'hold',
      reason: 'others of its batch are in the report, this one is not: the service took the batch in part',
    }
  }
  // Refused in words and wholly absent: nothing was applied. Halves find the row that the service objects to.
  if (doubt.outcome === 'refused')
    return { step: 'send again', cap: Math.max(1, Math.floor(doubt.batchSize / 2)), countsAsResend: false }
  if (doubt.resends >= 1) return { step: 'hold', reason: 'its outcome is unknown for the second time' }
  if (!doubt.controlVisible) {
    if (doubt.looks < looksForControl) return { step: 'wait' }
    return {
      step: 'hold',
      reason: 'the report shows nothing that was sent later either, so its absence proves nothing',
    }
  }
  return { step: 'send again', cap: null, countsAsResend: true }
}
