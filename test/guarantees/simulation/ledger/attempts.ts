// The twin's attempts: preparing, claiming, and dropping before the claim.

import type { Batch, Claim } from '#src/ledger/attempts/attempts.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import { changeIssuance } from './change-issuance.ts'
import type { AttemptRecord, IssuanceRecord } from './records.ts'
import { dateOf, type Tables, write } from './tables.ts'

export function loadBatch(tables: Tables, attemptId: number): Batch | null {
  const attempt = tables.attempts[attemptId - 1]
  if (attempt?.phase !== 'prepared') return null
  const recipients = attempt.items.map(({ issuance }) => issuance.recipient).filter((each) => each !== null)
  const { environment } = tables
  const { course, pipeline } = attempt
  // The twin stores no images: pipelines of simulations send JSON.
  const images = recipients.map(() => null)
  return {
    attemptId,
    environment,
    courseUuid: course.uuid,
    pipeline,
    recipients,
    images,
    lastCallAt: lastCallOf(attempt),
  }
}

/** The end of the latest earlier call that contained one of these rows and that the service may have received. */
function lastCallOf(attempt: AttemptRecord): Date | null {
  let last: number | null = null
  for (const { issuance } of attempt.items)
    for (const { attempt: earlier } of issuance.items)
      if (earlier !== attempt && earlier.phase === 'ended' && earlier.outcome !== 'not_sent')
        last = Math.max(last ?? 0, earlier.endedAt ?? 0)
  return dateOf(last)
}

/** Margin after the deadline, as in the real ledger, within which a live worker has written the outcome. */
const deadlineMarginMs = 15_000

/** Claims a prepared batch; drops the batch instead if one of its rows has changed state. */
export function claimAttempt(tables: Tables, claim: Claim): CommittedClaim | null {
  const attempt = tables.attempts[claim.attemptId - 1]
  if (attempt?.phase !== 'prepared') return null
  const rows = openRows(attempt).filter((issuance) => issuance.state === 'pending')
  const at = tables.now()
  if (rows.length !== attempt.size) {
    drop(tables, attempt, at, { words: 'one of its rows has changed state in the meantime', reason: null, waitMs: 0 })
    return null
  }
  tables.prepared.delete(attempt)
  tables.sending.add(attempt)
  attempt.phase = 'sending'
  attempt.sendingAt = at
  attempt.deadlineAt = at + claim.deadlineMs + deadlineMarginMs
  attempt.instance = claim.instance
  attempt.requestSha256 = claim.requestSha256
  const sent = { event: 'sending', evidence: { batch: attempt.size }, attempt, reason: null, lastSentAt: at }
  for (const issuance of rows) {
    const firstSentAt = issuance.firstSentAt ?? at
    changeIssuance(
      tables,
      issuance,
      { state: 'sending', ...sent, firstSentAt, looks: 0, controlledLooks: 0, lastLookAt: null },
      at,
    )
  }
  const number = tables.sendingClaims.push(attempt)
  return sendingClaimAt(number, attempt)
}

/** The claim with this number, counted as in the real ledger. */
export function sendingClaimAt(number: number, { id, sendingAt }: AttemptRecord): CommittedClaim {
  const tokenOf = (claimNumber: number) => `00000000-0000-4000-8000-${String(claimNumber).padStart(12, '0')}`
  const before = number > 1 ? tokenOf(number - 1) : null
  return { era: 0, number, token: tokenOf(number), before, at: new Date(sendingAt ?? 0), what: String(id) }
}

export function dropAttempt(tables: Tables, attemptId: number, why: string, waitMs: number): boolean {
  const attempt = tables.attempts[attemptId - 1]
  if (attempt?.phase !== 'prepared') return false
  drop(tables, attempt, tables.now(), { words: why, reason: why, waitMs })
  return true
}

/** Drops prepared attempts that contain one of these rows although it is no longer pending. */
export function dropUnsendableAttempts(tables: Tables, rows: Iterable<IssuanceRecord>): void {
  const words = 'the report has shown one of its rows in the meantime'
  const at = tables.now()
  for (const issuance of rows) {
    if (issuance.state === 'pending') continue
    for (const { attempt } of issuance.items)
      if (attempt.phase === 'prepared') drop(tables, attempt, at, { words, reason: null, waitMs: 0 })
  }
}

/** Drops every prepared attempt of a course. */
export function dropPrepared(tables: Tables, courseUuid: string, words: string): void {
  const at = tables.now()
  for (const attempt of tables.prepared)
    if (attempt.course.uuid === courseUuid) drop(tables, attempt, at, { words, reason: null, waitMs: 0 })
}

/** `at` is the same for everything that one verb drops: their rows become due together, in the order of their ids. */
function drop(
  tables: Tables,
  attempt: AttemptRecord,
  at: number,
  { words, reason, waitMs }: { words: string; reason: string | null; waitMs: number },
): void {
  write(tables, attempt, { phase: 'dropped', endedAt: at, words })
  removeOpenAttempt(tables, tables.prepared, attempt)
  for (const issuance of openRows(attempt))
    if (issuance.state === 'pending')
      changeIssuance(tables, issuance, { dueAt: at + waitMs, reason: reason ?? issuance.reason }, at)
  closeItems(tables, attempt.items)
}

/** Removes an attempt from the prepared attempts or from those being sent. */
export function removeOpenAttempt(tables: Tables, from: Set<AttemptRecord>, attempt: AttemptRecord): void {
  from.delete(attempt)
  attempt.course.openAttempts--
  tables.undo(() => {
    from.add(attempt)
    attempt.course.openAttempts++
  })
}

export function openRows(attempt: AttemptRecord): IssuanceRecord[] {
  return attempt.items.filter((item) => item.open).map((item) => item.issuance)
}

export function closeItems(tables: Tables, items: readonly { open: boolean }[]): void {
  for (const item of items) if (item.open) write(tables, item, { open: false })
}
