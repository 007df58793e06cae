// Checks the state of every row: it ended for a reason (I3), it will be processed further (I4), it belongs to the right
// person (I6), and it is not lost (I8).

import { finalStates, watchedStates } from '#src/domain/credential/state.ts'
import type { AttemptPicture, LedgerPicture, RowPicture, RunPicture } from './ledger-picture.ts'
import type { Book } from './sandbox-book.ts'

export const describeRow = (row: RowPicture) => `i${row.id} ${row.state}`

/** I3. The row claims an item that the sandbox has, or the service refused a call that contained only this row. */
export function finalWithoutCause({ rows, attempts }: LedgerPicture, book: Book): string[] {
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  return rows
    .filter((row) => finalStates.includes(row.state))
    .filter((row) => !seenInReport(row, book) && !(row.state === 'failed' && refusedAlone(row, byId)))
    .map(describeRow)
}

function seenInReport({ claims }: RowPicture, book: Book): boolean {
  const [key] = claims
  return key !== undefined && (key.startsWith('fp-') || book.find(key) !== undefined)
}

export function refusedAlone({ history }: RowPicture, attempts: ReadonlyMap<number, AttemptPicture>): boolean {
  const last = history.findLast((line) => line.to !== null)
  const attempt = attempts.get(last?.attempt ?? 0)
  if (last?.to !== 'failed' || attempt?.size !== 1) return false
  return attempt.outcome === 'refused' || attempt.outcome === 'too_large'
}

/**
 * I4. Each history line starts in the state where the previous one ended, and the last line ends in the current state.
 */
export function brokenHistory({ rows }: LedgerPicture): string[] {
  return rows
    .filter(({ state, history }) => {
      const steps = history.filter((line) => line.to !== null)
      const whole = steps.every((line, at) => line.from === (steps[at - 1]?.to ?? null))
      return !whole || steps.at(-1)?.to !== state
    })
    .map(describeRow)
}

/** I4. Returns unfinished work that no job will pick up again. */
export function neverDue({ rows, attempts, pollerDue }: LedgerPicture): string[] {
  const waiting = rows.filter((row) => {
    if (row.state === 'pending') return !row.due && !row.attemptPhases.includes('prepared')
    if (row.state === 'sending') return !row.attemptPhases.includes('sending')
    return watchedStates.includes(row.state) && !pollerDue
  })
  // An incomplete batch can never be claimed and is never dropped.
  const stuck = attempts.filter(
    (attempt) =>
      (attempt.phase === 'prepared' && attempt.openRows !== attempt.size) ||
      (attempt.phase === 'sending' && !attempt.hasDeadline),
  )
  return [...waiting.map(describeRow), ...stuck.map((each) => `attempt ${each.id} ${each.phase}`)]
}

/**
 * I8. Returns runs that the ledger could not find again if all queues were empty. For rows and attempts, see
 * `neverDue`.
 */
export function neverDelivered({ runs }: LedgerPicture): string[] {
  return runs.filter((run) => run.settled && run.state === 'published' && run.wanted === null).map(runName)
}

/** I4. The counts that are kept of a run's rows. */
export function countedWrongly({ runs }: LedgerPicture): string[] {
  return runs.flatMap((run) => run.miscounted.map((state) => `${runName(run)}: ${state}`))
}

/**
 * I6. The claimed item must have this row's person and course and every value sent. Held rows are
 * exempt, because an operator decides about them.
 */
export function wrongPersonItems({ rows }: LedgerPicture, book: Book): string[] {
  return rows
    .filter((row) => row.state !== 'held')
    .filter((row) => {
      const ownUuids = new Set(book.requestsOf(row).map((request) => request.entityUuid))
      const wrongItem = row.claims.some((key) => !key.startsWith('fp-') && !ownUuids.has(key))
      const request = book.requestsOf(row).find((request) => request.entityUuid === row.entityUuid)
      const wrongCredential = row.credentialId !== null && request?.credentialId !== row.credentialId
      return wrongItem || (row.entityUuid !== null && !request) || wrongCredential
    })
    .map(describeRow)
}

/** Rows recorded as sent that the sandbox never received, and source rows with no outcome. */
export function lost({ rows, attempts, runs }: LedgerPicture, book: Book): string[] {
  const accepted = new Map<number, number>()
  for (const attempt of attempts)
    if (attempt.outcome === 'accepted') for (const id of attempt.rows) accepted.set(id, (accepted.get(id) ?? 0) + 1)
  const missing = rows.filter((row) => {
    const received = book.requestsOf(row).length
    const recordedAsSent = ['requested', 'in_progress', 'issued', 'revoked', 'rejected'].includes(row.state)
    return (received === 0 && recordedAsSent) || received < (accepted.get(row.id) ?? 0)
  })
  return [...missing.map(describeRow), ...runs.filter((run) => !balances(run)).map(runName)]
}

function balances(run: RunPicture): boolean {
  if (run.rows !== run.sum || run.accepted !== run.issuances) return false
  if (run.state !== 'published') return run.issuances === 0
  const accepted = run.lines.filter((line) => line.outcome === 'accepted')
  const issuances = new Set(accepted.map((line) => line.issuance))
  return (
    run.lines.length === run.rows &&
    issuances.size === run.accepted &&
    accepted.length === run.accepted &&
    run.staged === 0
  )
}

function runName(run: RunPicture): string {
  return `run ${run.name} ${run.state}`
}
