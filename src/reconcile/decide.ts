// The decision: from what is known of a row and what was just heard of it to its next step. Pure. Whatever may follow, hold, give up
// or send a row again asks here. Two steps of whole batches are carried out in SQL, and stated here: through the door, and out of the hands
// of a worker that died (src/ledger/attempts.ts, outcomes.ts); docs/decisions/0006-two-graces.md says why the rules are as they are.

import type { State } from '#src/issuance/state.ts'
import { type AnsweredCall, afterSending } from './after-sending.ts'
import { type Decision, stay, take } from './decision.ts'
import type { Policy } from './policy.ts'
import { type Absence, type PastCall, whenAbsent } from './when-absent.ts'
import { type Showing, whenShown } from './when-shown.ts'

/** A row and its last call. What lies further back is in the counts: a new call begins only after the last one is settled. */
export interface Known {
  state: State
  /** Null for a row that was never sent. */
  call: (Omit<PastCall, 'outcome'> & { outcome: PastCall['outcome'] | null; deadlineAt: Date }) | null
  /** Complete readings of the report, far enough apart, that did not show it since it was last sent. */
  looks: number
  /** Those of them in which something sent later and accepted was visible. */
  controlledLooks: number
  lastLookAt: Date | null
  /** Automatic re-sends in its life. */
  resends: number
}

export type News =
  /** Nobody has said anything: is it its turn, or has it waited for too long? */
  | { kind: 'none' }
  /** The call of its batch came back, or could not be made. */
  | { kind: 'answer'; answer: AnsweredCall; size: number }
  /** The report shows an item that is its own, or may be. */
  | { kind: 'shown'; item: Showing }
  /** A complete reading of the report that covers its days did not show it. */
  | ({ kind: 'not shown' } & Absence)

/** A row of which only the state matters: an item that is its own proves that the service has it, however it was sent. */
export function inState(state: State): Known {
  return { state, call: null, looks: 0, controlledLooks: 0, lastLookAt: null, resends: 0 }
}

/** @param now on the database's clock, as all times here */
export function decide(row: Known, news: News, now: Date, policy: Policy): Decision {
  if (news.kind === 'shown') return whenShown(row.state, news.item)
  if (news.kind === 'answer') return row.state === 'sending' ? afterSending(news.answer, news.size) : stay
  if (news.kind === 'none') return whenNothingIsHeard(row, now)
  if (row.state !== 'unconfirmed' || !row.call?.outcome) return stay
  return whenAbsent({ ...row, call: { ...row.call, outcome: row.call.outcome } }, news, policy)
}

function whenNothingIsHeard({ state, call }: Known, now: Date): Decision {
  if (state === 'pending') return take([{ to: 'sending', event: 'sending', reason: null }])
  // A worker that lives has written the outcome down by its deadline, so this one is dead: that is an unknown outcome.
  if (state === 'sending' && call && now > call.deadlineAt) return workerDied
  return stay
}

const workerDied = take([
  {
    to: 'unconfirmed',
    event: 'worker died while sending',
    reason: 'the outcome of the call is unknown; the report is asked',
  },
])
