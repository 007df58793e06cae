// Turns the options of `credsync report` into a search of the service's report. Pure.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import { statusIdsOf, statusLabels } from '#src/domain/credential/status-ids.ts'
import { readIsoDate } from '#src/domain/recipient/calendar-date.ts'
import type { DateFilter, ReportSearch } from '#src/issuer/report/report-pages.ts'
import { UsageError } from './exit-code.ts'

export interface ReportOptions {
  certificate?: string
  name?: string
  status?: string
  email?: string
  contact?: string
  batch?: string
  credentialId?: string
  regNo?: string
  uid?: string
  certNo?: string
  uniqueNo?: string
  membershipId?: string
  requested?: string
  issued?: string
  validTill?: string
}

/** The keys whose values are sent unchanged. */
const unchangedKeys = {
  certificate: 'certificate_name',
  name: 'name',
  email: 'email_',
  contact: 'contact_number',
  batch: 'batch_name',
  credentialId: 'credential_id',
  regNo: 'reg_no',
  uid: 'uid',
  certNo: 'cert_no',
  uniqueNo: 'unique_no',
  membershipId: 'membership_id',
} as const satisfies Partial<Record<keyof ReportOptions, keyof ReportSearch>>

/**
 * Combines all options into one search. Without a status option, the search names every status, because the service's
 * default is not documented.
 * @param now a range without an end ends on the day after this
 * @throws UsageError naming the option, and never the search text, which is personal data
 */
export function reportSearch(options: ReportOptions, now: Date): ReportSearch {
  const search: ReportSearch = {}
  for (const [option, key] of Object.entries(unchangedKeys) as [keyof typeof unchangedKeys, keyof typeof search][]) {
    const value = options[option as keyof ReportOptions]
    if (value === undefined) continue
    if (value.trim() === '')
      throw new UsageError(`--${dashed(option)} is empty. Leave it out, or say what to search for.`)
    Object.assign(search, { [key]: value.trim() })
  }
  if (options.requested !== undefined) search.date_range = readRange('--requested', options.requested, now)
  if (options.issued !== undefined) search.issue_date = readRange('--issued', options.issued, now)
  if (options.validTill !== undefined) search.valid_till = readDay('--valid-till', options.validTill)
  return { ...search, issued_status_id: options.status === undefined ? allStatusIds : readStatus(options.status) }
}

function readStatus(text: string): number[] {
  const ids = text.split(',').flatMap((word) => {
    const meant = statusIdsOf(word)
    if (meant.length > 0) return meant
    const all = Object.entries(statusLabels).map(([id, label]) => `${id} ${label.replace(/^Request /, '')}`)
    throw new UsageError(
      `--status: “${word.trim()}” is not a status of the report. The statuses are: ${all.join(', ')}.`,
    )
  })
  return [...new Set(ids)].sort((a, b) => a - b)
}

// The documentation does not say whether one end of a range may be omitted, so both are always sent. The default end is
// tomorrow, because the service's time zone is unknown.
const firstDay = '2000-01-01'
const dayMs = 86_400_000

function readRange(option: string, text: string, now: Date): DateFilter {
  const [start = '', end = start, ...more] = text.split('..').map((part) => part.trim())
  if (more.length > 0 || (start === '' && end === ''))
    throw new UsageError(
      `${option} is not a range of days. Write it like 2026-01-01..2026-03-31, 2026-01-01.. or 2026-01-01.`,
    )
  const range = {
    start: start === '' ? firstDay : readDay(option, start),
    end: end === '' ? new Date(now.getTime() + dayMs).toISOString().slice(0, 10) : readDay(option, end),
  }
  if (range.start > range.end) throw new UsageError(`${option} ends before it begins: swap its two days.`)
  return range
}

function readDay(option: string, text: string): string {
  const reading = readIsoDate(text.trim())
  if ('date' in reading) return reading.date
  throw new UsageError(`${option}: “${text.trim()}” is not a date. Write it as YYYY-MM-DD, such as 2026-03-31.`)
}

function dashed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
