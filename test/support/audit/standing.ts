// Where every row stands, and whether it may stand there: finished for a cause (I3), looked after (I4), the right person (I6), not lost (I8).

import { finalStates, watchedStates } from '#src/issuance/state.ts'
import type { AttemptPicture, LedgerPicture, RowPicture, RunPicture } from './ledger-picture.ts'
import type { Book } from './sandbox-book.ts'

export const named = (row: RowPicture) => `i${row.id} ${row.state}`

/** I3. A claim of an item that the sandbox really has, or a refusal in words of this row alone. */
export function finalWithoutCause({ rows, attempts }: LedgerPicture, book: Book): string[] {
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  return rows
    .filter((row) => finalStates.includes(row.state))
    .filter((row) => !seenInReport(row, book) && !(row.state === 'failed' && refusedAlone(row, byId)))
    .map(named)
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

/** I4. One state at every instant: each line of the history begins where the one before it ended, and the last ends here. */
export function brokenHistory({ rows }: LedgerPicture): string[] {
  return rows
    .filter(({ state, history }) => {
      const steps = history.filter((line) => line.to !== null)
      const whole = steps.every((line, at) => line.from === (steps[at - 1]?.to ?? null))
      return !whole || steps.at(-1)?.to !== state
    })
    .map(named)
}

/** I4. What is not finished comes to somebody's attention by itself. */
export function forsaken({ rows, attempts, pollerDue }: LedgerPicture): string[] {
  const waiting = rows.filter((row) => {
    if (row.state === 'pending') return !row.due && !row.travelsIn.includes('prepared')
    if (row.state === 'sending') return !row.travelsIn.includes('sending')
    return watchedStates.includes(row.state) && !pollerDue
  })
  // A batch that is not whole passes no door, and is never dropped either.
  const stuck = attempts.filter(
    (each) => (each.phase === 'prepared' && each.open !== each.size) || (each.phase === 'sending' && !each.hasDeadline),
  )
  return [...waiting.map(named), ...stuck.map((each) => `attempt ${each.id} ${each.phase}`)]
}

/** I8. Work that the ledger could not name if every queue were empty. Rows and attempts: `forsaken`. */
export function forgotten({ runs }: LedgerPicture): string[] {
  return runs.filter((run) => run.settled && run.state === 'published' && run.wanted === null).map(runName)
}

/** I6. The claimed item is of this person and course, in every value that was sent; only what a person is asked about may differ. */
export function notTheirs({ rows }: LedgerPicture, book: Book): string[] {
  return rows
    .filter((row) => row.state !== 'held')
    .filter((row) => {
      const theirs = new Set(book.of(row).map((request) => request.entityUuid))
      const wrongItem = row.claims.some((key) => !key.startsWith('fp-') && !theirs.has(key))
      const request = book.of(row).find((each) => each.entityUuid === row.entityUuid)
      const wrongCredential = row.credentialId !== null && request?.credentialId !== row.credentialId
      return wrongItem || (row.entityUuid !== null && !request) || wrongCredential
    })
    .map(named)
}

/** Rows that are taken for sent, and the sandbox never got them; rows of a source that became nothing. */
export function lost({ rows, attempts, runs }: LedgerPicture, book: Book): string[] {
  const accepted = new Map<number, number>()
  for (const each of attempts)
    if (each.outcome === 'accepted') for (const id of each.rows) accepted.set(id, (accepted.get(id) ?? 0) + 1)
  const gone = rows.filter((row) => {
    const taken = book.of(row).length
    const takenForSent = ['requested', 'in_progress', 'issued', 'revoked', 'rejected'].includes(row.state)
    return (taken === 0 && takenForSent) || taken < (accepted.get(row.id) ?? 0)
  })
  return [...gone.map(named), ...runs.filter((run) => !balances(run)).map(runName)]
}

function balances(run: RunPicture): boolean {
  if (run.rows !== run.sum || run.accepted !== run.issuances) return false
  if (run.state !== 'published') return run.issuances === 0
  const accepted = run.lines.filter((line) => line.outcome === 'accepted')
  const each = new Set(accepted.map((line) => line.issuance))
  return (
    run.lines.length === run.rows && each.size === run.accepted && accepted.length === run.accepted && run.staged === 0
  )
}

function runName(run: RunPicture): string {
  return `run ${run.name} ${run.state}`
}
