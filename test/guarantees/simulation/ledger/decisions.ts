// Operators' decisions in the twin.

import type { State } from '#src/domain/credential/state.ts'
import type { OperatorDecision } from '#src/ledger/operator-decision.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'
import { nothingShown } from '#test/support/domain-objects.ts'
import { changeIssuance } from './change-issuance.ts'
import type { IssuanceRecord } from './records.ts'
import { issuancesOf, type Tables } from './tables.ts'

export function heldRows(tables: Tables): HeldRow[] {
  return [...tables.inState.held]
    .sort((a, b) => a.stateSince - b.stateSince || a.id - b.id)
    .map((issuance) => ({
      id: issuance.id,
      pipeline: issuance.pipeline,
      run: issuance.run.run.id,
      source: issuance.run.run.sourceName,
      row: issuance.row,
      since: new Date(issuance.stateSince),
      reason: issuance.reason,
      claimedItem: issuance.claim?.key ?? null,
      reportStatus: evidenceOf(issuance).label ?? issuance.shown.reportStatus,
      credentialId: evidenceOf(issuance).credential ?? issuance.shown.credentialId,
      sendings: issuance.history.filter((line) => line.to === 'sending').length,
      looks: issuance.looks,
    }))
}

/** What the item that caused the hold showed; it is not stored in the row's own columns. */
function evidenceOf({ evidence }: IssuanceRecord): { label?: string | null; credential?: string | null } {
  return evidence ?? {}
}

export function resolveHeld(
  tables: Tables,
  ids: readonly number[],
  answer: 'sent' | 'not sent',
  decision: OperatorDecision,
): number[] {
  const rows = issuancesOf(tables, ids).filter((issuance) => issuance.state === 'held')
  const to = answer === 'sent' ? 'requested' : 'pending'
  decide(tables, rows, { to, event: `a person decided: ${answer}`, decision })
  if (answer === 'sent') clearShown(tables, rows)
  else startOver(tables, rows)
  return rows.map((issuance) => issuance.id)
}

export function retryFailed(
  tables: Tables,
  of: { ids: readonly number[] } | { run: string },
  decision: OperatorDecision,
): number[] {
  const rows =
    'ids' in of
      ? issuancesOf(tables, of.ids).filter(
          (issuance) =>
            issuance.state === 'failed' && issuance.shown.credentialId === null && issuance.surplusItems === 0,
        )
      : [...tables.inState.failed].filter(
          (issuance) =>
            issuance.run.run.id === of.run && issuance.shown.credentialId === null && issuance.surplusItems === 0,
        )
  decide(tables, rows, { to: 'pending', event: 'a person decided: send again', decision })
  startOver(tables, rows)
  return rows.map((issuance) => issuance.id)
}

function decide(
  tables: Tables,
  rows: readonly IssuanceRecord[],
  { to, event, decision }: { to: State; event: string; decision: OperatorDecision },
): void {
  const at = tables.now()
  for (const issuance of rows) {
    changeIssuance(
      tables,
      issuance,
      { state: to, event, evidence: decision, reason: null, decidedAt: at, dueAt: at },
      at,
    )
    // A run with a reopened row is not settled.
    issuance.run.run.settledAt = null
  }
}

/** Makes the rows start over, as if they had never been sent. */
function startOver(tables: Tables, rows: readonly IssuanceRecord[]): void {
  clearShown(tables, rows)
  for (const issuance of rows)
    Object.assign(issuance, {
      firstSentAt: null,
      lastSentAt: null,
      looks: 0,
      controlledLooks: 0,
      lastLookAt: null,
      resends: 0,
      batchCap: 1,
    })
}

/** Clears the claimed item and what it showed. */
function clearShown(tables: Tables, rows: readonly IssuanceRecord[]): void {
  for (const issuance of rows) {
    if (issuance.claim) tables.claims.delete(issuance.claim.key)
    issuance.claim = null
    // revoked_date stays, as in the real ledger; a revoked row never gets here.
    issuance.shown = { ...nothingShown, revokedDate: issuance.shown.revokedDate }
  }
}
