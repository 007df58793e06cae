// The twin's version of handling rows of unknown outcome that a complete scan did not show.

import type { UnshownRow } from '#src/ledger/report/absence.ts'
import type { StartedScan } from '#src/ledger/report/scans.ts'
import { closeItems } from './attempts.ts'
import { changeIssuance } from './change-issuance.ts'
import type { AttemptRecord, IssuanceRecord } from './records.ts'
import { dateOf, dayOf, issuancesOf, type Tables } from './tables.ts'

export function unshownRows(tables: Tables, since: string): UnshownRow[] {
  return [...tables.inState.unconfirmed]
    .filter(({ claim, firstSentAt }) => claim === null && firstSentAt !== null && dayOf(firstSentAt) > since)
    .sort((a, b) => a.id - b.id)
    .flatMap((issuance) => (issuance.attempt ? unshownRow(issuance, issuance.attempt) : []))
}

function unshownRow(issuance: IssuanceRecord, attempt: AttemptRecord): UnshownRow {
  const { endedAt, deadlineAt } = attempt
  const overAt = endedAt === null || deadlineAt === null ? (endedAt ?? deadlineAt) : Math.min(endedAt, deadlineAt)
  return {
    id: issuance.id,
    courseUuid: issuance.course.uuid,
    attemptId: attempt.id,
    outcome: attempt.outcome as UnshownRow['outcome'],
    batchSize: attempt.size,
    endedAt: dateOf(endedAt) as Date,
    overAt: dateOf(overAt) as Date,
    deadlineAt: dateOf(deadlineAt) as Date,
    looks: issuance.looks,
    controlledLooks: issuance.controlledLooks,
    lastLookAt: dateOf(issuance.lastLookAt),
    batchShown: attempt.shown,
    resends: issuance.resends,
  }
}

export function noteLooks(
  tables: Tables,
  ids: readonly number[],
  scan: StartedScan,
  { controlShown, lastLookAt: known }: { controlShown: boolean; lastLookAt: Date | null },
): number[] {
  const at = tables.now()
  return issuancesOf(tables, ids).flatMap((issuance) => {
    if (!isProven(issuance, scan) || issuance.lastLookAt !== (known?.getTime() ?? null)) return []
    const looks = issuance.looks + 1
    const controlledLooks = issuance.controlledLooks + (controlShown ? 1 : 0)
    changeIssuance(tables, issuance, { looks, controlledLooks, lastLookAt: scan.startedAt.getTime() }, at)
    const evidence = { look: looks, scan: scan.id, control: controlShown }
    const attempt = issuance.attempt?.id ?? null
    if (looks <= 8)
      issuance.history.push({ at: new Date(at), event: 'not in the report', from: null, to: null, attempt, evidence })
    return [issuance.id]
  })
}

export function sendAgain(
  tables: Tables,
  ids: readonly number[],
  resend: { batchCap: number | null; countsAsResend: boolean },
  scan: Pick<StartedScan, 'startedAt'>,
): void {
  const at = tables.now()
  for (const issuance of issuancesOf(tables, ids)) {
    if (!isProven(issuance, scan)) continue
    changeIssuance(
      tables,
      issuance,
      {
        state: 'pending',
        event: 'proven not applied',
        evidence: { looks: issuance.looks, cap: resend.batchCap },
        reason: 'the report proves that the service did not process the request, so it is sent again',
        batchCap: resend.batchCap ?? issuance.batchCap,
        resends: issuance.resends + (resend.countsAsResend ? 1 : 0),
        dueAt: at,
      },
      at,
    )
    closeItems(tables, issuance.items)
  }
}

export function holdRows(
  tables: Tables,
  ids: readonly number[],
  reason: string,
  scan: Pick<StartedScan, 'startedAt'>,
): void {
  const at = tables.now()
  for (const issuance of issuancesOf(tables, ids)) {
    if (!isProven(issuance, scan)) continue
    const evidence = { why: reason, looks: issuance.looks }
    changeIssuance(tables, issuance, { state: 'held', event: 'held for a person', evidence, reason }, at)
    closeItems(tables, issuance.items)
  }
}

/** A scan proves something only about calls made before it began. */
function isProven({ state, lastSentAt }: IssuanceRecord, { startedAt }: Pick<StartedScan, 'startedAt'>): boolean {
  return state === 'unconfirmed' && lastSentAt !== null && lastSentAt <= startedAt.getTime()
}
