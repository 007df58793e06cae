// Writes an erasure of records by their ids, as `credsync forget` does after it has found them.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { Records } from '#src/extensions/privacy/ledger/person-records.ts'
import type { ErasureRequest } from '#src/extensions/privacy/ledger/write-erasure.ts'

/** @returns the id of the erasure */
export function writeErasure(
  ledger: Pick<WholeLedger, 'erasures'>,
  { ids = [], rows = [], completions = [], ...more }: Partial<Records & ErasureRequest>,
): Promise<string> {
  const request = { by: 'ada', reason: 'a letter', revokes: false, releases: false, ...more }
  return ledger.erasures.write({ ids, rows, completions }, request, () => null)
}
