// Describes the watch over issued credentials for `status`. Pure.

import type { WatchMethod, WatchSummary } from '#src/ledger/report/watching.ts'
import { minuteOf } from '#src/platform/time/format-minute.ts'
import { countOf } from '../results/counted-noun.ts'

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
