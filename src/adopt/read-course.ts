// The whole credential report, from its newest item to its oldest, and of it the items of one certificate.

import type { Hasher } from '#src/issuance/identity.ts'
import { allStatusIds } from '#src/issuance/report-status.ts'
import type { ReportItem } from '#src/issuer/wire.ts'
import { readItem, type SeenItem } from '#src/reconcile/read-item.ts'

/** An item as it is kept while the report is read; `at` is when its page came. */
export interface ShownItem extends Omit<SeenItem, 'firstSeenAt'> {
  item: ReportItem
  at: Date
}

export interface CourseReading {
  /** Everything that the pager promised has come, each item once. Otherwise nothing may be concluded. */
  complete: boolean
  /** Distinct items of the whole report. */
  total: number
  /** How many of them bear each certificate_name; `''` where an item has none. */
  names: ReadonlyMap<string, number>
  /** Those of the certificate, newest first; none when none was named. */
  items: ShownItem[]
}

export interface ReportPages {
  reportPages(query: {
    search: { issued_status_id: readonly number[] }
    sortBy: string
    sortOrder: 'desc'
    recordsPerPage: number
    maxPages: number
  }): AsyncIterable<{ items: ReportItem[]; filteredRecords: number | null; walk: 'more' | 'complete' | 'cut' }>
}

export interface CourseReader {
  issuer: ReportPages
  hasher: Hasher
  now(): Date
  pageSize: number
  /** Ends the reading after the page under way; it is then incomplete. */
  signal: AbortSignal
  /** Of the items read so far, and those that the service counts. */
  progress?(read: number, of: number | null): void
}

/** @throws what reading the report throws */
export async function readCourse(reader: CourseReader, certificate: string | null): Promise<CourseReading> {
  const seen = new Set<string>()
  const names = new Map<string, number>()
  const items: ShownItem[] = []
  let promised: number | null = null
  let ended = false
  const pages = reader.issuer.reportPages({
    search: { issued_status_id: allStatusIds },
    sortBy: 'request_date',
    sortOrder: 'desc',
    recordsPerPage: reader.pageSize,
    maxPages: 100_000,
  })
  for await (const page of pages) {
    // New requests come in while we read; those that were there at the start are what must be seen.
    promised ??= page.filteredRecords
    const at = reader.now()
    for (const item of page.items) {
      const shown = readItem(item, reader.hasher)
      // Rows that moved between pages come twice, and hide others.
      if (seen.has(shown.key)) continue
      seen.add(shown.key)
      const name = item.certificate_name ?? ''
      names.set(name, (names.get(name) ?? 0) + 1)
      if (certificate !== null && name === certificate) items.push({ ...shown, item: leaner(item), at })
    }
    if (reader.signal.aborted) break
    ended = page.walk === 'complete'
    reader.progress?.(seen.size, page.filteredRecords)
  }
  return { complete: ended && seen.size >= (promised ?? 0), total: seen.size, names, items }
}

/** Links that die in minutes are the longest part of an item, and nobody asks for them here. */
function leaner(item: ReportItem): ReportItem {
  return { ...item, certificate_path: null, target_hash: null }
}
