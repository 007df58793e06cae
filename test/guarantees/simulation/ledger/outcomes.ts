// What happens to an attempt's rows in the twin when the call has ended or its worker is known to be dead.

import type { AttemptEnd, Disposal, EndedCall } from '#src/ledger/attempts/outcomes.ts'
import { closeItems, openRows, removeOpenAttempt } from './attempts.ts'
import { changeIssuance } from './change-issuance.ts'
import type { AttemptRecord, CourseRecord } from './records.ts'
import { type Tables, write } from './tables.ts'

/** The twin is never rolled back, so every outcome belongs to a call in its records. */
export function endAttempt(tables: Tables, attemptId: number, end: AttemptEnd, disposal: Disposal): EndedCall {
  const attempt = tables.attempts[attemptId - 1]
  if (attempt?.phase !== 'sending') return { rows: 0, found: 'late' }
  const at = tables.now()
  const { class: outcome, status, code, words } = end
  return tables.transaction(() => {
    write(tables, attempt, { phase: 'ended', endedAt: at, outcome, status, code, words })
    removeOpenAttempt(tables, tables.sending, attempt)
    const rows = openRows(attempt)
    const evidence = { outcome, status, code, words }
    const dueAt = at + disposal.waitMs
    for (const { to, event, reason } of disposal.steps)
      for (const issuance of rows) changeIssuance(tables, issuance, { state: to, event, evidence, reason, dueAt }, at)
    if (disposal.steps.at(-1)?.to !== 'unconfirmed') closeItems(tables, attempt.items)
    noteOutcome(attempt.course, attempt, outcome)
    if (disposal.batchLimit !== null)
      attempt.course.batchLimit = Math.min(attempt.course.batchLimit ?? disposal.batchLimit, disposal.batchLimit)
    return { rows: disposal.steps.length > 0 ? rows.length : 0, found: 'sending' }
  })
}

/**
 * Updates what the canary and pauses depend on. A call whose worker died says nothing about the service and is not
 * counted.
 */
function noteOutcome(course: CourseRecord, attempt: AttemptRecord, outcome: AttemptEnd['class']): void {
  const { sendingAt, endedAt } = attempt
  if (sendingAt === null || endedAt === null || sendingAt <= course.canarySince) return
  if (outcome === 'accepted') course.trusted = true
  if (outcome !== 'unauthorised') course.calls.push({ outcome, sendingAt, endedAt })
}

/**
 * @param aliveInstance the only live worker, so that all other attempts are lost immediately; null = lost by the
 * deadline only, except for instances in `dead`
 */
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
    removeOpenAttempt(tables, tables.sending, attempt)
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
  reason: 'the outcome of the call is unknown; the report decides',
}
