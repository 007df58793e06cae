// A report that reads past the search object, or past one of its two spellings.

import type { Mischief } from './mischief.ts'

/** The call's fields as the report hears them. */
export function heardFields<T extends Readonly<Record<string, unknown>>>(fields: T, { heardSearch }: Mischief): T {
  if (heardSearch === undefined) return fields
  const { search, _search, ...rest } = fields
  if (heardSearch === 'search') return { ...rest, search } as unknown as T
  if (heardSearch === '_search') return { ...rest, _search } as unknown as T
  return rest as unknown as T
}
