// A row of the simulated course and its calls, with only the data that the ledger keeps.

import type { State } from '#src/domain/credential/state.ts'
import type { PastCall } from '#src/issuing/reconcile/decide-absent-row.ts'
import type { Decision } from '#src/issuing/reconcile/decision.ts'

export interface Row {
  id: number
  person: number
  /** Number of times that the row started over because of an operator's decision, plus one. */
  life: number
  state: State
  dueAt: number
  batchCap: number | null
  looks: number
  controlledLooks: number
  lastLookAt: number | null
  resends: number
  firstSentAt: number | null
  lastSentAt: number | null
  decidedAt: number | null
  claim: string | null
  call: Call | null
}

export interface Call {
  id: number
  rows: readonly Row[]
  /** Rows still waiting for the outcome of the call. */
  open: Set<Row>
  sentAt: number
  deadlineAt: number
  endedAt: number | null
  /** The report has shown one of its rows. */
  shown: boolean
  /** The outcome of its answer; null while it is open. */
  outcome: string | null
}

/** A step that was taken, with the knowledge on which it was based. */
export interface TakenStep {
  row: Row
  from: State
  to: State
  event: string
  reason: string | null
  life: number
  known: {
    looks: number
    controlledLooks: number
    resends: number
    batchShown: boolean
    outcome: string | null
    control: boolean
  }
  decision: Decision
}

export function newRow(id: number, person: number): Row {
  return {
    ...{ id, person, life: 1, state: 'pending', dueAt: 0, batchCap: null, looks: 0 },
    ...{ controlledLooks: 0, lastLookAt: null, resends: 0 },
    ...{ firstSentAt: null, lastSentAt: null, decidedAt: null, claim: null, call: null },
  }
}

const start = Date.parse('2026-03-01T00:00:00Z')

/** The date for a number of minutes since the course began. */
export function dateAt(minutes: number): Date {
  return new Date(start + minutes * 60_000)
}

/** The last call of a row, in the form that the decision takes. */
export function pastCall(row: Row) {
  const { call } = row
  if (!call) return null
  return {
    outcome: call.outcome as PastCall['outcome'] | null,
    size: call.rows.length,
    overAt: dateAt(Math.min(call.deadlineAt, call.endedAt ?? call.deadlineAt)),
    deadlineAt: dateAt(call.deadlineAt),
    batchShown: batchShown(row),
  }
}

export function batchShown(row: Row): boolean {
  return row.call?.shown ?? false
}
