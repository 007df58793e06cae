// What becomes of an attempt's rows in the twin once the call has ended, or its worker is known to be dead.

import type { AttemptEnd, Disposal } from '#src/ledger/outcomes.ts'
import { closeItems, leave, openRows } from './attempts.ts'
import { changeIssuance } from './change-issuance.ts'
import type { AttemptRecord, CourseRecord } from './records.ts'
import { type Tables, write } from './tables.ts'

/** @returns how many rows moved; 0 when the attempt had ended already */
export function endAttempt(tables: Tables, attemptId: number, end: AttemptEnd, disposal: Disposal): number {
  const attempt = tables.attempts[attemptId - 1]
  if (attempt?.phase !== 'sending') return 0
  const at = tables.now()
  const { class: outcome, status, code, words } = end
  return tables.transaction(() => {
    write(tables, attempt, { phase: 'ended', endedAt: at, outcome, status, code, words })
    leave(tables, tables.sending, attempt)
    const rows = openRows(attempt)
    const evidence = { outcome, status, code, words }
    const dueAt = at + disposal.waitMs
    for (const { to, event, reason } of disposal.steps)
      for (const issuance of rows) changeIssuance(tables, issuance, { state: to, event, evidence, reason, dueAt }, at)
    if (disposal.steps.at(-1)?.to !== 'unconfirmed') closeItems(tables, attempt.items)
    noteOutcome(attempt.course, attempt, outcome)
    if (disposal.batchLimit !== null)
      attempt.course.batchLimit = Math.min(attempt.course.batchLimit ?? disposal.batchLimit, disposal.batchLimit)
    return disposal.steps.length > 0 ? rows.length : 0
  })
}

/** What the canary and the pause after trouble ask about, kept as it happens. A call whose worker died says nothing and never gets here. */
function noteOutcome(course: CourseRecord, attempt: AttemptRecord, outcome: AttemptEnd['class']): void {
  if ((attempt.sendingAt ?? 0) <= course.canarySince) return
  if (outcome === 'accepted') course.trusted = true
  course.lastOutcomes = [...course.lastOutcomes.slice(-1), outcome]
}

/** @param aliveInstance the only worker there is, so that all others' attempts are lost at once; null = by the deadline only, but for instances in `dead` */
export function loseAttempts(tables: Tables, aliveInstance: string | null, dead: readonly string[] = []): number[] {
  const at = tables.now()
  const lost = [...tables.sending].filter(
    ({ deadlineAt, instance }) =>
      (deadlineAt ?? at) < at ||
      (aliveInstance !== null && instance !== aliveInstance) ||
      (instance !== null && dead.includes(instance)),
  )
  for (const attempt of lost) {
    attempt.phase = 'ended'
    attempt.endedAt = at
    attempt.outcome = 'unknown'
    attempt.code = 'WORKER_DIED'
    attempt.words = 'the worker ended while the call was under way'
    leave(tables, tables.sending, attempt)
    for (const issuance of attempt.items.map((item) => item.issuance))
      if (issuance.state === 'sending' && issuance.attempt === attempt)
        changeIssuance(tables, issuance, { ...workerDied, dueAt: at }, at)
  }
  return lost.map((attempt) => attempt.id)
}

const workerDied = {
  state: 'unconfirmed' as const,
  event: 'worker died while sending',
  evidence: { outcome: 'unknown', code: 'WORKER_DIED' },
  reason: 'the outcome of the call is unknown; the report is asked',
}
