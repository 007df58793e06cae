// The envelope of every response body, for successes and refusals. Pure.

import type { SandboxRefusal } from './refusal.ts'

/** The pager of most lists. */
export interface SandboxPager {
  pageNumber: number
  recordsPerPage: number
  filteredRecords: number
  totalRecords: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

/** Returns the body of a success. `pager` is an empty object for responses without pages. */
export function success(message: string, payload: unknown = {}, pager: object = {}) {
  return { status: 200, message, payload, pager }
}

/** Returns the body of a refusal. The service does not document its format, so this is the envelope without a pager. */
export function refused(refusal: SandboxRefusal) {
  return { status: refusal.status, message: refusal.message, payload: {} }
}
