// The twin's comparison of a list with known rows: the fields of each known person.

import { differingValues } from '#src/domain/credential/differing-values.ts'
import type { IssuanceRecord, RunRecord, RunRow } from './records.ts'
import { dayOf } from './tables.ts'

type Recipient = Readonly<Record<string, string>> | null

/** Why a row is skipped, and the fields in which it differs from the known credential. */
export function differenceOf(
  record: RunRecord,
  { run: known, row, recipient }: IssuanceRecord,
  fresh: Recipient,
): Pick<RunRow, 'skipReason' | 'changedFields'> {
  const { sourceName, receivedAt } = known.run
  const fields = changedFields(fresh, recipient)
  const sameFile = `the same person as row ${row} of this file`
  if (fields.length === 0) {
    const before = `already known from ${sourceName}, row ${row}, received ${dayOf(receivedAt.getTime())}`
    return { skipReason: known === record ? sameFile : before, changedFields: null }
  }
  const differ =
    fields.length === 1 ? `${fields[0]} differs` : `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)} differ`
  const skipReason =
    known === record
      ? `${sameFile}, and ${differ}: only that row is taken`
      : `known from row ${row} of ${sourceName}, and ${differ}: a correction, which is never issued automatically`
  return { skipReason, changedFields: fields }
}

/** Whether the ledger has an issuance for a row, and whether its data are the same. */
export function listStatusOf(known: IssuanceRecord | undefined, fresh: Recipient): 'unknown' | 'known' | 'changed' {
  if (!known) return 'unknown'
  return changedFields(fresh, known.recipient).length > 0 ? 'changed' : 'known'
}

function changedFields(fresh: Recipient, known: Recipient): string[] {
  return fresh && known ? differingValues(fresh, known) : []
}

export const publishedAt = ({ run }: RunRecord) => run.publishedAt?.getTime() ?? 0
