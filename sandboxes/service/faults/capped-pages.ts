// Fault: pages have fewer records than requested, and the pager may or may not report this. Pure.

import type { Faults } from './faults.ts'

/**
 * Returns `served`, the page that is actually returned (its offset depends on its size), and `reported`, what the pager
 * says.
 */
export function capPageSize<T extends { recordsPerPage: number }>(
  pageQuery: T,
  { cappedPages }: Faults,
): { served: T; reported: T } {
  if (!cappedPages) return { served: pageQuery, reported: pageQuery }
  const served = { ...pageQuery, recordsPerPage: Math.min(pageQuery.recordsPerPage, cappedPages.records) }
  return { served, reported: cappedPages.pager === 'requested' ? pageQuery : served }
}
