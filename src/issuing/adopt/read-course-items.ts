// Reads the whole credential report from the service, newest item first, and keeps the items of one certificate.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { allStatusIds } from '#src/domain/credential/report-status.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { readItem, type SeenItem } from '#src/issuing/reconcile/read-report-item.ts'

/** An item as it is kept while the report is read; `receivedAt` is when its page was received. */
export interface ItemInReport extends Omit<SeenItem, 'firstSeenAt'> {
  item: ReportItem
  receivedAt: Date
}

export interface CourseReading {
  /** Whether every item that the service counted was received. If not, the absence of an item proves nothing. */
  complete: boolean
  /** Distinct items in the whole report. */
  total: number
  /** The number of items for each certificate_name; `''` for items without one. */
  names: ReadonlyMap<string, number>
  /** The items of the certificate, newest first; empty if no certificate was named. */
  items: ItemInReport[]
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
  /** Stops after the current page; the scan is then incomplete. */
  signal: AbortSignal
  /** Called with the number of items read so far and the service's total. */
  progress?(read: number, total: number | null): void
}

/**
 * Keeps the items with the certificate_name `certificate`; none if it is null.
 * @throws any error from reading the report
 */
export async function readCourseItems(reader: CourseReader, certificate: string | null): Promise<CourseReading> {
  const seenKeys = new Set<string>()
  const names = new Map<string, number>()
  const items: ItemInReport[] = []
  let expectedCount: number | null = null
  let ended = false
  const pages = reader.issuer.reportPages({
    search: { issued_status_id: allStatusIds },
    sortBy: 'request_date',
    sortOrder: 'desc',
    recordsPerPage: reader.pageSize,
    maxPages: 100_000,
  })
  for await (const page of pages) {
    // New requests may arrive during the scan. Only the items that existed at the start must be seen.
    expectedCount ??= page.filteredRecords
    const receivedAt = reader.now()
    for (const item of page.items) {
      const shown = readItem(item, reader.hasher)
      // If items move between pages during the scan, some appear twice and others are missed.
      if (seenKeys.has(shown.key)) continue
      seenKeys.add(shown.key)
      const name = item.certificate_name ?? ''
      names.set(name, (names.get(name) ?? 0) + 1)
      if (certificate !== null && name === certificate) items.push({ ...shown, item: withoutLinks(item), receivedAt })
    }
    if (reader.signal.aborted) break
    ended = page.walk === 'complete'
    reader.progress?.(seenKeys.size, page.filteredRecords)
  }
  return { complete: ended && seenKeys.size >= (expectedCount ?? 0), total: seenKeys.size, names, items }
}

/** Removes the links, which make up most of an item, expire within minutes, and are not needed here. */
function withoutLinks(item: ReportItem): ReportItem {
  return { ...item, certificate_path: null, target_hash: null }
}
