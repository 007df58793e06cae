// A changed row that waits for a person, in lines. Pure.

import type { WaitingChange } from '#src/ledger/waiting-changes.ts'
import { maskedPerson } from './revocation-words.ts'

export function changeLines(change: WaitingChange): string[] {
  const { issuanceId, state, recipient, changedFields, row, source, run, received } = change
  return [
    `i${issuanceId}: ${maskedPerson(recipient)}; ${changedFields.join(', ')} ${changedFields.length === 1 ? 'differs' : 'differ'}${state === 'failed' ? '; it failed, so there is no credential yet' : ''}`,
    `  in row ${row} of ${source}, received ${received.toISOString().slice(0, 10)} (run ${run})`,
    `    credsync correct i${issuanceId} --from-row ${run.slice(0, 8)}:${row}`,
  ]
}
