// Lists the modules that courses can be composed of.

import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { lenientText, numberOrNull, text, yesOrNo } from '../lenient-schemas.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { type PagedQuery, type Pages, walkList } from './walk-list.ts'

const moduleShape = z.object({
  name: text,
  module_uuid: text,
  is_active: yesOrNo,
  code: lenientText,
  max_marks: numberOrNull,
  /** For example Core or Non Core. */
  moduleType: z
    .object({ type: text })
    .nullish()
    .transform((value) => value ?? null),
})
export type Module = z.infer<typeof moduleShape>

/** Throws the errors of the reader, and WireError. */
export type ListModules = (query?: PagedQuery<{ name?: string }>) => Pages<Module>

export function openModules(endpoint: Endpoint, read: ServiceReader): ListModules {
  return (query) =>
    walkList(endpoint, read, { name: 'module-list', item: moduleShape, uuid: (item) => item.module_uuid }, query)
}
