// Fault: the report ignores the search object, one of its two spellings, or some of its keys. Pure.

import type { Faults } from './faults.ts'

/** Returns the fields of a call without the spellings of the search object that the report ignores. */
export function searchedFields<T extends Readonly<Record<string, unknown>>>(fields: T, { acceptedSearch }: Faults): T {
  if (acceptedSearch === undefined) return fields
  const { search, _search, ...rest } = fields
  if (acceptedSearch === 'search') return { ...rest, search } as unknown as T
  if (acceptedSearch === '_search') return { ...rest, _search } as unknown as T
  return rest as unknown as T
}

/** Returns the search without the keys that the report ignores. */
export function searchedKeys<T extends Readonly<Record<string, unknown>>>(
  search: T,
  { ignoredSearchKeys = [] }: Faults,
): T {
  return Object.fromEntries(Object.entries(search).filter(([key]) => !ignoredSearchKeys.includes(key))) as T
}
