// The system under test: the real decision, and around it what the worker and the ledger do with it, in memory and on whole minutes.
// It knows only what was answered and what was read.

import { mayStep } from '#src/issuance/lifecycle.ts'
import type { State } from '#src/issuance/state.ts'
import type { AnsweredCall } from '#src/reconcile/after-sending.ts'
import { decide, type Known, type News } from '#src/reconcile/decide.ts'
import type { Decision } from '#src/reconcile/decision.ts'
import { matchItems } from '#src/reconcile/match.ts'
import type { Policy } from '#src/reconcile/policy.ts'
import { closesCall } from '#test/support/closes-call.ts'
import { batchShown, type Call, moment, newRow, pastCall, type Row, type Taken } from './course-row.ts'

/** What is judged here; the teeth exchange a part of it. */
export interface Judgement {
  decide: typeof decide
  match: typeof matchItems
}

export const ours: Judgement = { decide, match: matchItems }

/** Minutes: how long a call may take, and when it is known that its worker is dead. */
export const callTakes = 2
const deadlineAfter = 3

export class Course {
  now = 0
  readonly rows: Row[] = []
  readonly calls: Call[] = []
  readonly taken: Taken[] = []
  readonly firstSeen = new Map<string, number>()
  /** When the last complete reading was; nothing is sent without a fresh one, or old items could be taken for our own. */
  baselineAt = Number.NEGATIVE_INFINITY
  batchLimit = 4
  readonly judgement: Judgement
  readonly policy: Policy

  constructor(people: number, policy: Policy, judgement: Judgement) {
    this.policy = policy
    this.judgement = judgement
    for (let person = 0; person < people; person++) this.addRow(person)
  }

  addRow(person: number): void {
    this.rows.push({ ...newRow(this.rows.length, person), dueAt: this.now })
  }

  /** The next batch goes through the door; null when nothing is due. */
  send(size: number): Call | null {
    const due = this.rows.filter(({ state, dueAt }) => state === 'pending' && dueAt <= this.now)
    due.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)
    const cap = due[0]?.batchCap ?? null
    const rows = due.filter((row) => row.batchCap === cap).slice(0, Math.min(size, this.batchLimit, cap ?? size))
    if (rows.length === 0) return null
    const times = { sentAt: this.now, deadlineAt: this.now + deadlineAfter, endedAt: null }
    const call: Call = { id: this.calls.length, rows, open: new Set(rows), shown: false, outcome: null, ...times }
    this.calls.push(call)
    for (const row of rows) {
      if (row.call?.open.has(row)) throw new Error(`row ${row.id} has two open calls`)
      this.take(row, this.ask(row, { kind: 'none' }))
      Object.assign(row, { call, looks: 0, controlledLooks: 0, lastLookAt: null, lastSentAt: this.now })
      row.firstSentAt ??= this.now
    }
    return call
  }

  answer(call: Call, answer: AnsweredCall): void {
    if (call.outcome !== null) return
    this.end(call, answer.class, { kind: 'answer', answer, size: call.rows.length })
  }

  /** What the sweeper does: calls whose worker did not write the outcome down by the deadline. */
  sweep(): void {
    for (const call of this.calls)
      if (call.outcome === null && this.now > call.deadlineAt) this.end(call, 'unknown', { kind: 'none' })
  }

  private end(call: Call, outcome: string, news: News): void {
    const decisions = [...call.open].map((row) => ({ row, decision: this.ask(row, news) }))
    call.outcome = outcome
    call.endedAt = this.now
    for (const { row, decision } of decisions) {
      this.take(row, decision)
      if (closesCall(decision)) call.open.delete(row)
      if (decision.batchLimit !== null) this.batchLimit = Math.min(this.batchLimit, decision.batchLimit)
    }
  }

  /** The report shows an item that is this row's or may be: all calls it was in have arrived. */
  noteShown(row: Row): void {
    for (const call of this.calls) if (call.rows.includes(row)) call.shown = true
  }

  /** A person's word about a held or failed row. */
  startOver(row: Row): void {
    this.move(row, 'pending')
    Object.assign(row, { ...newRow(row.id, row.person), life: row.life + 1, batchCap: 1, decidedAt: this.now })
    row.dueAt = this.now
  }

  saidSent(row: Row): void {
    this.move(row, 'requested')
    row.claim = null
    row.decidedAt = this.now
  }

  ask(row: Row, news: News): Decision {
    const { state, looks, controlledLooks, resends, lastLookAt } = row
    const last = lastLookAt === null ? null : moment(lastLookAt)
    const known: Known = { state, looks, controlledLooks, resends, lastLookAt: last, call: pastCall(row) }
    return this.judgement.decide(known, news, moment(this.now), this.policy)
  }

  /** Carries a decision out as the ledger does, step by step. */
  take(row: Row, decision: Decision, control = false): void {
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
      this.taken.push({ row, from: row.state, to, event, reason, life, known, decision })
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
