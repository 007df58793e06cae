// Describes the inboxes and the watch over issued credentials for `status`, as lines of text and as JSON. Pure.

import { countOf } from '#src/issuing/results/run-summary.ts'
import type { WatchMethod, WatchSummary } from '#src/ledger/report/watching.ts'
import type { InboxRecord } from '#src/ledger/runs/inboxes.ts'
import { minuteOf } from '#src/platform/time/duration.ts'

/** How long a missed scan is reported. */
const shownMs = 7 * 86_400_000

/** Describes when each inbox was last scanned, which scans were missed, and which files were not taken. */
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

const methodLabels: Readonly<Record<WatchMethod, string>> = {
  whole: 'the whole report',
  order: 'all revoked credentials, by their order',
  days: 'some request days',
  pages: 'some pages of the report',
}

/** Returns one line per environment, including environments that have not been watched yet. */
export function watchLines(watches: readonly WatchSummary[]): string[] {
  return watches.map((watch) => {
    const { environment, endedAt, dueAt, way, issued, lookedSince, missing } = watch
    const name = `issued credentials (${environment}):`
    if (!endedAt || !way) return `${name} not watched yet; the first watch is at ${minuteOf(dueAt)} UTC`
    const parts = [`watched at ${minuteOf(endedAt)} (${methodLabels[way]})`]
    if (lookedSince && issued) parts.push(`each of ${issued} checked since ${minuteOf(lookedSince)}`)
    parts.push(`next at ${minuteOf(dueAt)} UTC`)
    const missingNote =
      missing > 0 ? `. ${countOf(missing, 'credential')} ${missing === 1 ? 'is' : 'are'} no longer in the report` : ''
    return `${name} ${parts.join('; ')}${missingNote}`
  })
}

/** The watch's entry in `status --json`. */
export function watchDocument({
  environment,
  endedAt,
  dueAt,
  way,
  issued,
  lookedSince,
  missing,
}: WatchSummary): object {
  return { environment, endedAt, dueAt, way, issued, lookedSince, missing }
}
