// The twin's attempts: the one-way door, and the ways back before it.

import type { Batch, Door } from '#src/ledger/attempts.ts'
import { changeIssuance } from './change-issuance.ts'
import type { AttemptRecord, IssuanceRecord } from './records.ts'
import { dateOf, type Tables, write } from './tables.ts'

export function loadBatch(tables: Tables, attemptId: number): Batch | null {
  const attempt = tables.attempts[attemptId - 1]
  if (attempt?.phase !== 'prepared') return null
  const recipients = attempt.items.map(({ issuance }) => issuance.recipient).filter((each) => each !== null)
  const { environment } = tables
  const { course, pipeline } = attempt
  // The twin keeps no images: pipelines of simulations send JSON.
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

/** The end of the last earlier call with one of its rows that the service may have heard of. */
function lastCallOf(attempt: AttemptRecord): Date | null {
  let last: number | null = null
  for (const { issuance } of attempt.items)
    for (const { attempt: earlier } of issuance.items)
      if (earlier !== attempt && earlier.phase === 'ended' && earlier.outcome !== 'not_sent')
        last = Math.max(last ?? 0, earlier.endedAt ?? 0)
  return dateOf(last)
}

/** As in the real one: a worker that is alive has written the outcome down by then. */
const deadlineMarginMs = 15_000

/** @throws Error when a row of the batch is no longer pending; then nothing has changed */
export function passDoor(tables: Tables, door: Door): boolean {
  const attempt = tables.attempts[door.attemptId - 1]
  if (attempt?.phase !== 'prepared') return false
  const rows = openRows(attempt).filter((issuance) => issuance.state === 'pending')
  if (rows.length !== attempt.size)
    throw new Error(`Attempt ${attempt.id} holds rows that are not pending; nothing of it was sent.`)
  const at = tables.now()
  tables.prepared.delete(attempt)
  tables.sending.add(attempt)
  attempt.phase = 'sending'
  attempt.sendingAt = at
  attempt.deadlineAt = at + door.deadlineMs + deadlineMarginMs
  attempt.instance = door.instance
  attempt.requestSha256 = door.requestSha256
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
  return true
}

export function dropAttempt(tables: Tables, attemptId: number, why: string, waitMs: number): boolean {
  const attempt = tables.attempts[attemptId - 1]
  if (attempt?.phase !== 'prepared') return false
  drop(tables, attempt, tables.now(), { words: why, reason: why, waitMs })
  return true
}

/** Drops prepared attempts that hold one of these rows although it is no longer pending. */
export function dropAttemptsWithout(tables: Tables, rows: Iterable<IssuanceRecord>): void {
  const words = 'the report showed one of its rows meanwhile'
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

/** `at` is one for all that one verb drops: their rows are due together, in the order of their ids. */
function drop(
  tables: Tables,
  attempt: AttemptRecord,
  at: number,
  { words, reason, waitMs }: { words: string; reason: string | null; waitMs: number },
): void {
  write(tables, attempt, { phase: 'dropped', endedAt: at, words })
  leave(tables, tables.prepared, attempt)
  for (const issuance of openRows(attempt))
    if (issuance.state === 'pending')
      changeIssuance(tables, issuance, { dueAt: at + waitMs, reason: reason ?? issuance.reason }, at)
  closeItems(tables, attempt.items)
}

/** An attempt is no longer one of the prepared, or one of those being sent. */
export function leave(tables: Tables, from: Set<AttemptRecord>, attempt: AttemptRecord): void {
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
