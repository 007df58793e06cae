// Prepares the twin's batches: which pending rows are sent together and which must wait.

import { watchedStates } from '#src/domain/credential/state.ts'
import { changeIssuance } from './change-issuance.ts'
import { ConstraintError } from './constraint-error.ts'
import { compareDue, firstDue } from './due-rows.ts'
import type { AttemptRecord, IssuanceRecord } from './records.ts'
import type { Tables } from './tables.ts'

/** @returns the ids of the attempts; none if nothing is due or all due rows must wait */
export function prepareAttempts(
  tables: Tables,
  of: { pipeline: string; size: number; canary: boolean; batches: number },
): number[] {
  const at = tables.now()
  const prepared: number[] = []
  let rest = pickRows(tables, of, at)
  while (rest.length > 0 && prepared.length < of.batches) {
    const batch = firstBatch(rest, of.size)
    const picked = of.canary ? limitToCanary(batch) : batch
    if (picked.length === 0) break
    prepared.push(prepareAttempt(tables, of.pipeline, picked, at))
    if (of.canary && !picked[0]?.course.trusted) break
    rest = rest.filter((issuance) => !batch.includes(issuance))
  }
  return prepared
}

function prepareAttempt(tables: Tables, pipeline: string, picked: IssuanceRecord[], at: number): number {
  const [first] = picked as [IssuanceRecord]
  if (picked.some((issuance) => issuance.items.some((item) => item.open)))
    throw new ConstraintError('23505', 'no issuance is in two batches at once')
  const attempt: AttemptRecord = {
    id: tables.attempts.length + 1,
    course: first.course,
    pipeline,
    size: picked.length,
    items: [],
    phase: 'prepared',
    askedAt: null,
    sendingAt: null,
    deadlineAt: null,
    endedAt: null,
    shown: false,
    outcome: null,
    status: null,
    code: null,
    words: null,
    requestSha256: null,
    instance: null,
  }
  for (const issuance of picked) {
    const item = { attempt, issuance, open: true }
    attempt.items.push(item)
    issuance.items.push(item)
    changeIssuance(tables, issuance, { dueAt: Number.POSITIVE_INFINITY, reason: null }, at)
  }
  tables.attempts.push(attempt)
  tables.prepared.add(attempt)
  attempt.course.openAttempts++
  return attempt.id
}

/** An attempt has one course and one batch limit: those of the first row. */
function firstBatch(rows: readonly IssuanceRecord[], size: number): IssuanceRecord[] {
  const [first] = rows as [IssuanceRecord]
  return rows
    .filter((issuance) => issuance.course === first.course && issuance.batchCap === first.batchCap)
    .slice(0, Math.min(size, first.batchCap ?? size))
}

/** Due rows that need not wait for another credential of the same person. */
function pickRows(
  tables: Tables,
  of: { pipeline: string; size: number; batches: number },
  at: number,
): IssuanceRecord[] {
  const due = dueRows(tables, of.pipeline, at, of.size * of.batches)
  const together = new Set(due)
  const blocked = new Set(due.filter((issuance) => isBlocked(tables, issuance, together)))
  const reason =
    'waits until another credential of the same person is settled, because the report could not tell them apart'
  for (const issuance of blocked) changeIssuance(tables, issuance, { dueAt: at + 5_000, reason }, at)
  return due.filter((issuance) => !blocked.has(issuance))
}

function dueRows(tables: Tables, pipeline: string, at: number, most: number): IssuanceRecord[] {
  return [...tables.lanes.values()]
    .filter((lane) => lane.pipeline === pipeline && lane.course.pausedUntil <= at)
    .flatMap((lane) => firstDue(lane, at, most))
    .sort(compareDue)
    .slice(0, most)
    .map((slot) => slot.issuance)
}

function isBlocked(tables: Tables, issuance: IssuanceRecord, together: ReadonlySet<IssuanceRecord>): boolean {
  return issuance.matchHashes.some((hash) =>
    tables.byMatch.get(hash)?.some((other) => {
      if (other === issuance) return false
      if (other.state === 'sending' || watchedStates.includes(other.state)) return true
      if (other.state !== 'pending') return false
      return other.dueAt === Number.POSITIVE_INFINITY || (together.has(other) && goesBefore(other, issuance))
    }),
  )
}

function goesBefore(a: IssuanceRecord, b: IssuanceRecord): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.id < b.id)
}

/** All rows if the course is trusted; otherwise one row, or none while the course has an open attempt. */
function limitToCanary(rows: IssuanceRecord[]): IssuanceRecord[] {
  const course = rows[0]?.course
  if (!course || course.trusted) return rows
  return course.openAttempts > 0 ? [] : rows.slice(0, 1)
}
