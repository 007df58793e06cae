// A row that is not taken, as it stands in the ledger.

import type { StagedRow } from '#src/ledger/intake.ts'

/** `row` with why it was refused, and with nothing by which somebody could be found or sent. */
export function refusedRow(row: Pick<StagedRow, 'row' | 'cells'>, violations: readonly object[]): StagedRow {
  const { row: number, cells } = row
  return { row: number, cells, violations, recipient: null, issuanceKey: null, identityHash: null, matchHashes: null }
}
