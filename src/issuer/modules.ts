// The modules of which courses can be made.

import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { numberOrNull, softText, text, yesOrNo } from './lenient.ts'
import { type PagedQuery, type Pages, walkList } from './list.ts'
import type { Reader } from './reader.ts'

const moduleShape = z.object({
  name: text,
  module_uuid: text,
  is_active: yesOrNo,
  code: softText,
  max_marks: numberOrNull,
  /** Such as Core or Non Core. */
  moduleType: z
    .object({ type: text })
    .nullish()
    .transform((value) => value ?? null),
})
export type Module = z.infer<typeof moduleShape>

/** Throws what Reader throws, and WireError. */
export type ListModules = (query?: PagedQuery<{ name?: string }>) => Pages<Module>

export function openModules(endpoint: Endpoint, read: Reader): ListModules {
  return (query) =>
    walkList(endpoint, read, { name: 'module-list', item: moduleShape, uuid: (item) => item.module_uuid }, query)
}
