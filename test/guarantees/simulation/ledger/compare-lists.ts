// The twin's comparison of a list with known rows: the fields of each known person, and the people of the previous
// list.

import { differingValues } from '#src/domain/credential/differing-values.ts'
import type { CourseRecord, IssuanceRecord, RunRecord, RunRow } from './records.ts'
import { dayOf, type Tables } from './tables.ts'

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

/** Records how many people of the previous list are not on this one. */
export function compareWithLastList(tables: Tables, record: RunRecord, course: CourseRecord): void {
  const { pipeline } = record.run
  // In the order received.
  const all = [...tables.runs.values()]
  const last = all
    .slice(0, all.indexOf(record))
    .findLast(
      ({ run }) =>
        run.state === 'published' &&
        run.pipeline === pipeline &&
        run.courseUuid === course.uuid &&
        !isResubmission(run.sourceName),
    )
  if (!last || isResubmission(record.run.sourceName)) return
  const now = new Set(record.rows.map((row) => row.issuance))
  const before = new Set(last.rows.flatMap((row) => row.issuance ?? []))
  record.run.gone = [...before].filter((issuance) => !now.has(issuance)).length
  record.run.lastList = `${last.run.sourceName}, ${dayOf(last.run.receivedAt.getTime())}`
}

const isResubmission = (sourceName: string) => /\.invalid\.(csv|xlsx)$/i.test(sourceName)

export const publishedAt = ({ run }: RunRecord) => run.publishedAt?.getTime() ?? 0
