// Carries out an operator's decisions about held and failed rows, and explains why any of these rows was left
// unchanged. Writes to the ledger.

import type { Forgotten } from '#src/ledger/forgotten-people.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { OperatorDecision, SeenRows } from '#src/ledger/operator-decision.ts'
import { whyUnchanged } from './why-unchanged.ts'

export type HeldAnswer = 'sent' | 'not sent'

interface DecidedRows {
  decided: number[]
  /** A sentence for each of the other rows. */
  unchanged: string[]
}

type DecidingLedger = Pick<Ledger, 'decisions' | 'poller' | 'issuances' | 'environment'>

/**
 * Records the operator's decision on whether the service has the requests of held rows.
 * @param seen the rows as the operator saw them; if omitted, the rows are decided as they are now
 * @returns also the rows that are withdrawn instead of being sent, with when and why their person was forgotten
 */
export async function resolveHeldRows(
  { ledger }: { ledger: DecidingLedger },
  { ids, answer, seen }: { ids: readonly number[]; answer: HeldAnswer; seen?: SeenRows },
  decision: OperatorDecision,
): Promise<DecidedRows & { withdrawn: Map<number, Forgotten> }> {
  const decided = await ledger.decisions.resolve(ids, answer, decision, seen)
  if (answer === 'sent') await ledger.poller.schedule(0, 0)
  const withdrawn = answer === 'sent' ? new Map<number, Forgotten>() : await ledger.issuances.forgottenOf(decided)
  return { decided, withdrawn, unchanged: await whyUnchanged(ledger, { ids, decided, wanted: 'held' }) }
}

/** Sends failed rows again, one at a time. */
export async function retryFailedRows(
  { ledger }: { ledger: DecidingLedger },
  { ids, seen }: { ids: readonly number[]; seen?: SeenRows },
  decision: OperatorDecision,
): Promise<DecidedRows> {
  const decided = await ledger.decisions.retry({ ids }, decision, seen)
  return { decided, unchanged: await whyUnchanged(ledger, { ids, decided, wanted: 'failed' }) }
}

/**
 * Sends the failed rows of a run again, one at a time.
 * @param until only rows that had failed by this time
 */
export async function retryFailedRowsOfRun(
  { ledger }: { ledger: DecidingLedger },
  { run, until }: { run: string; until?: Date },
  decision: OperatorDecision,
): Promise<DecidedRows> {
  const decided = await ledger.decisions.retry({ run, ...(until && { until }) }, decision)
  return { decided, unchanged: decided.length > 0 ? [] : [noneToRetry(run)] }
}

/** Pure. */
export const noneToRetry = (run: string): string =>
  `Run ${run} has no failed row to send again. If it has failed rows, the report now shows a credential or another item for each of those people (\`credsync explain\`). Nothing was changed.`
