// The only way to change an issuance in the twin: applies the rules of the real ledger's triggers and updates the
// indexes.

import { mayStep } from '#src/domain/credential/lifecycle.ts'
import type { State } from '#src/domain/credential/state.ts'
import { ConstraintError } from './constraint-error.ts'
import { placeDue } from './due-rows.ts'
import type { IssuanceRecord } from './records.ts'
import type { Tables } from './tables.ts'

/** The fields that a change may set; `slot`, `items` and similar ones are derived. */
export type Change = Partial<
  Pick<
    IssuanceRecord,
    | 'state'
    | 'event'
    | 'evidence'
    | 'attempt'
    | 'reason'
    | 'dueAt'
    | 'firstSentAt'
    | 'lastSentAt'
    | 'resends'
    | 'batchCap'
    | 'looks'
    | 'controlledLooks'
    | 'lastLookAt'
    | 'shown'
    | 'decidedAt'
  >
>

/**
 * @param at the time read from the database's clock
 * @throws ConstraintError for a transition outside the lifecycle, and for `issued` without a credential
 */
export function changeIssuance(tables: Tables, issuance: IssuanceRecord, change: Change, at: number): void {
  const from = issuance.state
  const to = change.state ?? from
  if (from !== to && !mayStep(from, to))
    throw new ConstraintError('23000', `an issuance cannot go from ${from} to ${to}`)
  if (to === 'issued' && (change.shown ?? issuance.shown).credentialId === null)
    throw new ConstraintError('23514', 'an issuance is issued with a credential only')

  const before: Record<string, unknown> = { stateSince: issuance.stateSince }
  for (const name of Object.keys(change)) before[name] = issuance[name as keyof Change]
  Object.assign(issuance, change)
  if (from !== to) {
    issuance.stateSince = at
    keepCounts(tables, issuance, from, to)
    writeHistory(issuance, from, at)
  }
  if (from !== to || change.dueAt !== undefined) placeDue(issuance)
  tables.undo(() => {
    Object.assign(issuance, before)
    if (from !== to) {
      keepCounts(tables, issuance, to, from)
      issuance.history.pop()
    }
    placeDue(issuance)
  })
}

export function writeHistory(issuance: IssuanceRecord, from: State | null, at: number): void {
  const { event, state, attempt, evidence } = issuance
  issuance.history.push({ at: new Date(at), event, from, to: state, attempt: attempt?.id ?? null, evidence })
}

function keepCounts(tables: Tables, issuance: IssuanceRecord, from: State, to: State): void {
  tables.inState[from].delete(issuance)
  tables.inState[to].add(issuance)
  issuance.run.states[from]--
  issuance.run.states[to]++
}
