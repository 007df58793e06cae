// A row that is not taken, as it stands in the ledger.

import type { StagedRow } from '#src/ledger/intake.ts'

/** Whom a refused row names, where it still tells: another row may name somebody else by the same identity. */
export interface NamedPerson {
  identityHash: Buffer
  /** By display name, and nothing but names. */
  names: Readonly<Record<string, string>>
}

/** `row` with why it was refused, and with nothing by which somebody could be sent. */
export function refusedRow(
  row: Pick<StagedRow, 'row' | 'cells'>,
  violations: readonly object[],
  person: NamedPerson | null = null,
): StagedRow {
  const { row: number, cells } = row
  const { identityHash, names } = person ?? { identityHash: null, names: null }
  return { row: number, cells, violations, recipient: names, issuanceKey: null, identityHash, matchHashes: null }
}
