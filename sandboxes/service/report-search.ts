// Converts the search object of the report into filters for a request. Pure.

import { isRealDate } from './calendar.ts'
import { sandboxStatusLabels } from './credential-request.ts'
import { type Fields, isFields } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import { type Links, type ReportField, reportFields, type Seen } from './report-fields.ts'
import { folded } from './request-store.ts'

export type Filter = (seen: Seen) => boolean

// The documentation does not say how the service compares values. Here identifiers must match completely and names may
// match in part, as users of a search box would expect.
const wholeMatchFields: readonly ReportField[] = [
  'email_',
  'contact_number',
  'credential_id',
  'reg_no',
  'uid',
  'unique_no',
  'cert_no',
  'membership_id',
  'valid_till',
]
const partialMatchFields: readonly ReportField[] = ['name', 'certificate_name', 'batch_name']
const ranges: Readonly<Record<string, ReportField>> = { date_range: 'request_date', issue_date: 'issue_date' }

// No searchable field contains a link.
const noLinks: Links = { certificate: () => '', verifier: () => '' }
const read = (field: ReportField, seen: Seen) => reportFields[field](seen, noLinks)

/**
 * Returns all filters of a search; an empty value is ignored.
 * @throws SandboxRefusal 400 naming the invalid key
 */
export function readFilters(search: Fields): Filter[] {
  return Object.entries(search)
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => readFilter(key, value))
    .filter((filter) => filter !== null)
}

function readFilter(key: string, value: unknown): Filter | null {
  if (key === 'issued_status_id') return statusFilter(value)
  if (Object.hasOwn(ranges, key)) return rangeFilter(key, value)
  const field = [...wholeMatchFields, ...partialMatchFields].find((each) => each === key)
  // An unknown key is refused, because every row would look like a match if it were ignored.
  if (field === undefined) throw new SandboxRefusal(400, 'Bad request: search has an unknown key.')
  if (typeof value !== 'string') throw new SandboxRefusal(400, `Bad request: ${key} in search must be text.`)
  const wanted = folded(value)
  if (wholeMatchFields.includes(field)) return (seen) => folded(read(field, seen) ?? '') === wanted
  return (seen) => folded(read(field, seen) ?? '').includes(wanted)
}

function statusFilter(value: unknown): Filter | null {
  if (!Array.isArray(value) || !value.every((each) => Number.isInteger(each))) {
    throw new SandboxRefusal(400, 'Bad request: issued_status_id in search must be an array of whole numbers.')
  }
  const wanted = new Set<unknown>(value)
  // A search for every status is one for all requests, which need not be looked at one by one.
  const isEvery = Object.keys(sandboxStatusLabels).every((status) => wanted.has(Number(status)))
  return wanted.size === 0 || isEvery ? null : (seen) => wanted.has(seen.status)
}

// Both ends are inclusive, and either may be omitted.
function rangeFilter(key: string, value: unknown): Filter {
  const { start, end } = isFields(value) ? value : { start: 'not an object' }
  const from = readDay(key, start) ?? '0000-00-00'
  const to = readDay(key, end) ?? '9999-99-99'
  const field = ranges[key] as ReportField
  return (seen) => {
    const day = read(field, seen)
    return day !== null && from <= day && day <= to
  }
}

function readDay(key: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' && isRealDate(value)) return value
  throw new SandboxRefusal(400, `Bad request: ${key} in search must be {start, end} with days of the form YYYY-MM-DD.`)
}
