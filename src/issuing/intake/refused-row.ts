// Builds the staged row for a source row that was rejected. Pure.

import type { StagedRow } from '#src/ledger/runs/intake.ts'

/**
 * The person in a rejected row, if the identity could be determined. It is kept because another row may have a
 * different name for the same identity.
 */
export interface NamedPerson {
  identityHash: Buffer
  /** The values of the name fields, by display name. */
  names: Readonly<Record<string, string>>
}

/** Returns `row` with its violations, and without the data that are needed to send it. */
export function refusedRow(
  row: Pick<StagedRow, 'row' | 'cells' | 'raw'>,
  violations: readonly object[],
  person: NamedPerson | null = null,
): StagedRow {
  const { row: number, cells, raw } = row
  const { identityHash, names } = person ?? { identityHash: null, names: null }
  return { row: number, cells, raw, violations, recipient: names, issuanceKey: null, identityHash, matchHashes: null }
}
