// The shapes of answers: one envelope around every payload.

import type { Refusal } from './refusal.ts'

/** The pager of most lists. */
export interface Pager {
  pageNumber: number
  recordsPerPage: number
  filteredRecords: number
  totalRecords: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

/** A success. `pager` stays an empty object for answers that have no pages. */
export function success(message: string, payload: unknown = {}, pager: object = {}) {
  return { status: 200, message, payload, pager }
}

/** A refusal's body. The service does not show the shape of its own; this one is the envelope without a pager. */
export function refused(refusal: Refusal) {
  return { status: refusal.status, message: refusal.message, payload: {} }
}
