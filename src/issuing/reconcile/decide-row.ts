// Decides a row's next steps from the ledger's data about the row and the latest observation. Pure. All code that may
// advance, hold, fail or resend a row uses this function. Two steps apply to whole batches; they are implemented in SQL
// and only mentioned here: the claim, and the recovery from a dead worker (src/ledger/attempts/attempts.ts,
// outcomes.ts). docs/decisions/0006-two-graces.md explains the rules.

import type { State } from '#src/domain/credential/state.ts'
import { type Absence, type PastCall, whenAbsent } from './decide-absent-row.ts'
import { type AnsweredCall, afterSending } from './decide-after-sending.ts'
import { type ItemMatch, whenShown } from './decide-shown-row.ts'
import { type Decision, stay, take } from './decision.ts'
import type { Policy } from './policy.ts'

/**
 * A row and its last call. Earlier calls are included in the counts, because a new call begins only after the outcome
 * of the last one has been resolved.
 */
export interface KnownToLedger {
  state: State
  /** Null for a row that was never sent. */
  call: (Omit<PastCall, 'outcome'> & { outcome: PastCall['outcome'] | null; deadlineAt: Date }) | null
  /**
   * The number of complete scans of the report, far enough apart, that have not shown the row since it was last
   * sent.
   */
  looks: number
  /** The number of looks that showed a control: a row that was sent later and accepted. */
  controlledLooks: number
  lastLookAt: Date | null
  /** The number of automatic resends of this row so far. */
  resends: number
}

export type Observation =
  /** Nothing was observed. The row may be due, or its call may have passed its deadline. */
  | { kind: 'none' }
  /** The call for the row's batch returned, or could not be made. */
  | { kind: 'answer'; answer: AnsweredCall; size: number }
  /** The report shows an item that belongs to the row, or that may belong to it. */
  | { kind: 'shown'; item: ItemMatch }
  /** A complete scan of the report that covers the row's days did not show it. */
  | ({ kind: 'not shown' } & Absence)

/**
 * Returns a row with a known state and no other data. This is enough for an item in the report, which proves that the
 * service has the row, regardless of the calls.
 */
export function inState(state: State): KnownToLedger {
  return { state, call: null, looks: 0, controlledLooks: 0, lastLookAt: null, resends: 0 }
}

/** @param now the time on the database's clock, as are all times here */
export function decide(row: KnownToLedger, observed: Observation, now: Date, policy: Policy): Decision {
  if (observed.kind === 'shown') return whenShown(row.state, observed.item)
  if (observed.kind === 'answer') return row.state === 'sending' ? afterSending(observed.answer, observed.size) : stay
  if (observed.kind === 'none') return whenNothingObserved(row, now)
  if (row.state !== 'unconfirmed' || !row.call?.outcome) return stay
  return whenAbsent({ ...row, call: { ...row.call, outcome: row.call.outcome } }, observed, policy)
}

function whenNothingObserved({ state, call }: KnownToLedger, now: Date): Decision {
  if (state === 'pending') return take([{ to: 'sending', event: 'sending', reason: null }])
  // A live worker records the outcome before the deadline, so this worker is dead and the outcome is unknown.
  if (state === 'sending' && call && now > call.deadlineAt) return workerDied
  return stay
}

const workerDied = take([
  {
    to: 'unconfirmed',
    event: 'worker died while sending',
    reason: 'the outcome of the call is unknown; the report decides',
  },
])
