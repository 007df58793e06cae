// Describes the inboxes for `status`: when each was last scanned, which scans were missed, and which files were not
// taken. Pure.

import type { InboxRecord } from '#src/ledger/runs/inboxes.ts'
import { minuteOf } from '#src/platform/time/format-minute.ts'
import { countOf } from '../results/counted-noun.ts'

/** How long a missed scan stays visible. */
const shownMs = 7 * 86_400_000

export function inboxLines(records: readonly InboxRecord[], now: Date): string[] {
  return records.flatMap((record) => {
    const parts = [record.lookedAt ? `scanned at ${minuteOf(record.lookedAt)}` : 'not scanned yet']
    if (record.filesAt) parts.push(`${countOf(record.files, 'file')} taken at ${minuteOf(record.filesAt)}`)
    if (record.missedAt && record.caughtUpAt && now.getTime() - record.caughtUpAt.getTime() < shownMs)
      parts.push(
        `missed ${minuteOf(record.missedAt)}${record.missed > 1 ? ` and ${record.missed - 1} more` : ''}, caught up at ${minuteOf(record.caughtUpAt)}`,
      )
    const line = `inbox ${record.pipeline}: ${parts.join('; ')}${record.lookedAt ? ' UTC' : ''}${record.problem ? `. ${record.problem}` : ''}`
    return [line, ...notTakenLines(record.leftLying)]
  })
}

function notTakenLines(notTaken: InboxRecord['leftLying']): string[] {
  if (!notTaken) return []
  const exampleLines = notTaken.examples.slice(0, 3).map(({ name, why }) => `  not taken: ${name}: ${why}`)
  return notTaken.count > exampleLines.length
    ? [...exampleLines, `  and ${countOf(notTaken.count - exampleLines.length, 'more file')}`]
    : exampleLines
}

/** The inbox's entry in `status --json`. */
export function inboxDocument(record: InboxRecord): object {
  const { pipeline, lookedAt, files, filesAt, missedAt, missed, caughtUpAt, problem, leftLying } = record
  return { pipeline, lookedAt, files, filesAt, missedAt, missed, caughtUpAt, problem, leftLying }
}
