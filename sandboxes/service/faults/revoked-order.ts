// Fault: the report does not sort by revoked_date when this is requested. Pure.

import type { Faults } from './faults.ts'

/**
 * @param sorted in ascending order of the date, with missing dates first
 * @param unsorted in the order of the requests
 */
export function faultyOrder<T>(
  sorted: readonly T[],
  unsorted: readonly T[],
  isRevoked: (each: T) => boolean,
  { revokedOrder }: Faults,
): readonly T[] {
  if (revokedOrder === 'ignored') return unsorted
  if (revokedOrder === undefined) return sorted
  return [...sorted.filter(isRevoked), ...sorted.filter((each) => !isRevoked(each))]
}
