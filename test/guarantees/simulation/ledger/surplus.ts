// A second report item for one issuance: the twin counts it once and records it in the history.

import type { ReportChanges } from '#src/ledger/report/apply-report.ts'
import { ConstraintError } from './constraint-error.ts'
import type { IssuanceRecord } from './records.ts'
import type { Tables } from './tables.ts'

/** @returns the issuances that have one more now, each once */
export function noteSurplus(tables: Tables, surplus: ReportChanges['surplus']): IssuanceRecord[] {
  const at = new Date(tables.now())
  for (const { key, fingerprint } of surplus) renameSurplus(tables, fingerprint, key)
  const noted = new Set<IssuanceRecord>()
  for (const { key, issuanceId } of surplus) {
    if (tables.surplus.has(key)) continue
    const issuance = tables.issuances[issuanceId - 1]
    if (!issuance) throw new ConstraintError('23503', `there is no issuance ${issuanceId} to count it for`)
    tables.surplus.set(key, issuance)
    const event = 'a second report item for this person'
    issuance.history.push({ at, event, from: null, to: null, attempt: null, evidence: { item: key } })
    issuance.surplusItems++
    issuance.run.surplus++
    noted.add(issuance)
    tables.undo(() => {
      tables.surplus.delete(key)
      issuance.history.pop()
      issuance.surplusItems--
      issuance.run.surplus--
    })
  }
  return [...noted]
}

/** An item counted by its fingerprint now has its entity_uuid: it is the same item. */
function renameSurplus(tables: Tables, from: string, to: string): void {
  const issuance = tables.surplus.get(from)
  if (!issuance || tables.surplus.has(to)) return
  tables.surplus.delete(from)
  tables.surplus.set(to, issuance)
  tables.undo(() => {
    tables.surplus.delete(to)
    tables.surplus.set(from, issuance)
  })
}
