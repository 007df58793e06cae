// The system under test: the real decision with an in-memory version of what the worker and the ledger do with it. Its
// only inputs are answers and scans of the report. Times are minutes since the course began.

import { mayStep } from '#src/domain/credential/lifecycle.ts'
import type { State } from '#src/domain/credential/state.ts'
import type { AnsweredCall } from '#src/issuing/reconcile/decide-after-sending.ts'
import { decide, type KnownToLedger, type Observation } from '#src/issuing/reconcile/decide-row.ts'
import type { Decision } from '#src/issuing/reconcile/decision.ts'
import { matchItems } from '#src/issuing/reconcile/match-items.ts'
import type { Policy } from '#src/issuing/reconcile/policy.ts'
import { closesCall } from '#test/support/closes-call.ts'
import { batchShown, type Call, dateAt, newRow, pastCall, type Row, type TakenStep } from './course-row.ts'

/** The functions under test; each sabotage replaces one of them. */
export interface DecisionFunctions {
  decide: typeof decide
  match: typeof matchItems
}

export const realFunctions: DecisionFunctions = { decide, match: matchItems }

/** In minutes after the claim: how long a call may take, and when its worker is known to be dead. */
export const maxCallMinutes = 2
const deadlineAfter = 3

export class Course {
  now = 0
  readonly rows: Row[] = []
  readonly calls: Call[] = []
  readonly takenSteps: TakenStep[] = []
  readonly firstSeen = new Map<string, number>()
  /**
   * Time of the last complete scan. Nothing is sent without a recent scan, or old items could be mistaken for our own.
   */
  baselineAt = Number.NEGATIVE_INFINITY
  batchLimit = 4
  readonly functions: DecisionFunctions
  readonly policy: Policy

  constructor(people: number, policy: Policy, functions: DecisionFunctions) {
    this.policy = policy
    this.functions = functions
    for (let person = 0; person < people; person++) this.addRow(person)
  }

  addRow(person: number): void {
    this.rows.push({ ...newRow(this.rows.length, person), dueAt: this.now })
  }

  /** Claims and sends the next batch; null if nothing is due. */
  send(size: number): Call | null {
    const due = this.rows.filter(({ state, dueAt }) => state === 'pending' && dueAt <= this.now)
    due.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)
    const batchCap = due[0]?.batchCap ?? null
    const rows = due
      .filter((row) => row.batchCap === batchCap)
      .slice(0, Math.min(size, this.batchLimit, batchCap ?? size))
    if (rows.length === 0) return null
    const times = { sentAt: this.now, deadlineAt: this.now + deadlineAfter, endedAt: null }
    const call: Call = { id: this.calls.length, rows, open: new Set(rows), shown: false, outcome: null, ...times }
    this.calls.push(call)
    for (const row of rows) {
      if (row.call?.open.has(row)) throw new Error(`row ${row.id} has two open calls`)
      this.applyDecision(row, this.decideRow(row, { kind: 'none' }))
      Object.assign(row, { call, looks: 0, controlledLooks: 0, lastLookAt: null, lastSentAt: this.now })
      row.firstSentAt ??= this.now
    }
    return call
  }

  answer(call: Call, answer: AnsweredCall): void {
    if (call.outcome !== null) return
    this.end(call, answer.class, { kind: 'answer', answer, size: call.rows.length })
  }

  /** What the sweep does: gives up calls whose worker has not written an outcome by the deadline. */
  sweep(): void {
    for (const call of this.calls)
      if (call.outcome === null && this.now > call.deadlineAt) this.end(call, 'unknown', { kind: 'none' })
  }

  private end(call: Call, outcome: string, observation: Observation): void {
    const decisions = [...call.open].map((row) => ({ row, decision: this.decideRow(row, observation) }))
    call.outcome = outcome
    call.endedAt = this.now
    for (const { row, decision } of decisions) {
      this.applyDecision(row, decision)
      if (closesCall(decision)) call.open.delete(row)
      if (decision.batchLimit !== null) this.batchLimit = Math.min(this.batchLimit, decision.batchLimit)
    }
  }

  /**
   * The report shows an item that is this row's or may be, so the service has received all calls that contained the
   * row.
   */
  noteShown(row: Row): void {
    for (const call of this.calls) if (call.rows.includes(row)) call.shown = true
  }

  /** An operator's decision about a held or failed row. */
  startOver(row: Row): void {
    this.move(row, 'pending')
    Object.assign(row, { ...newRow(row.id, row.person), life: row.life + 1, batchCap: 1, decidedAt: this.now })
    row.dueAt = this.now
  }

  confirmSent(row: Row): void {
    this.move(row, 'requested')
    row.claim = null
    row.decidedAt = this.now
  }

  decideRow(row: Row, observation: Observation): Decision {
    const { state, looks, controlledLooks, resends, lastLookAt } = row
    const last = lastLookAt === null ? null : dateAt(lastLookAt)
    const known: KnownToLedger = { state, looks, controlledLooks, resends, lastLookAt: last, call: pastCall(row) }
    return this.functions.decide(known, observation, dateAt(this.now), this.policy)
  }

  /** Applies a decision as the ledger does, step by step. */
  applyDecision(row: Row, decision: Decision, control = false): void {
    const { life } = row
    if (decision.countsAsLook)
      Object.assign(row, {
        looks: row.looks + 1,
        controlledLooks: row.controlledLooks + (control ? 1 : 0),
        lastLookAt: this.now,
      })
    for (const { to, event, reason } of decision.steps) {
      const { looks, controlledLooks, resends } = row
      const known = {
        looks,
        controlledLooks,
        resends,
        control,
        batchShown: batchShown(row),
        outcome: row.call?.outcome ?? null,
      }
      this.takenSteps.push({ row, from: row.state, to, event, reason, life, known, decision })
      this.move(row, to)
    }
    if (decision.steps.length === 0) return
    if (row.state === 'pending') row.dueAt = this.now + decision.waitMs / 60_000
    row.batchCap = decision.batchCap ?? row.batchCap
    if (decision.countsAsResend) row.resends++
    if (row.state !== 'sending' && row.state !== 'unconfirmed') row.call?.open.delete(row)
  }

  private move(row: Row, to: State): void {
    if (!mayStep(row.state, to)) throw new Error(`row ${row.id} stepped from ${row.state} to ${to}`)
    row.state = to
  }
}
