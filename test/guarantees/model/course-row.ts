// A row of the driven course and its calls, with what the ledger keeps of them and nothing more.

import type { State } from '#src/issuance/state.ts'
import type { Decision } from '#src/reconcile/decision.ts'
import type { PastCall } from '#src/reconcile/when-absent.ts'

export interface Row {
  id: number
  person: number
  /** Begins anew when a person lets it start over. */
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
  /** Rows that still wait for what becomes of it. */
  open: Set<Row>
  sentAt: number
  deadlineAt: number
  endedAt: number | null
  /** The report has shown one of its rows. */
  shown: boolean
  /** What its answer was; null while it is under way. */
  outcome: string | null
}

/** A step as it was taken, with what was known then. */
export interface Taken {
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

/** Minutes since the course began, as the moment that the decision is asked about. */
export function moment(minutes: number): Date {
  return new Date(start + minutes * 60_000)
}

/** The last call of a row as the decision knows it. */
export function pastCall(row: Row) {
  const { call } = row
  if (!call) return null
  return {
    outcome: call.outcome as PastCall['outcome'] | null,
    size: call.rows.length,
    overAt: moment(Math.min(call.deadlineAt, call.endedAt ?? call.deadlineAt)),
    deadlineAt: moment(call.deadlineAt),
    batchShown: batchShown(row),
  }
}

export function batchShown(row: Row): boolean {
  return row.call?.shown ?? false
}
