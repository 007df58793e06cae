// Reads the service's lists (categories, templates, currencies and so on) in which the names of a course file are
// looked up.

import type { ReferenceLists } from '#src/issuer/lists/reference-lists.ts'
import { collectItems } from '#src/issuer/lists/walk-list.ts'
import type { CourseListName } from './course-keys.ts'

export interface Reference {
  uuid: string
  /** For a currency, its code and its name. The first name is the one that is shown. */
  names: readonly string[]
  /** Other labels, in any language. They are searched if no name matches. */
  labels: readonly string[]
}

export interface ReferenceList {
  references: Reference[]
  /** False if only part of the list was read, so that a missing name may be in the rest. */
  complete: boolean
}

export type References = Partial<Record<CourseListName, ReferenceList>>

export type ReferenceSource = Omit<ReferenceLists, 'listMailTemplates'>

/** @throws whatever reading the lists throws */
export async function readReferences(source: ReferenceSource, wanted: readonly CourseListName[]): Promise<References> {
  const read = await Promise.all([...new Set(wanted)].map(async (name) => [name, await readers[name](source)] as const))
  return Object.fromEntries(read)
}

type OptionalName = string | null | undefined

const readers: Record<CourseListName, (source: ReferenceSource) => Promise<ReferenceList>> = {
  certificationBodies: (source) =>
    readList(source.listCertificationBodies(), (item) => named(item.certification_uuid, [item.user_name])),
  // A category is listed once for each language of its label.
  categories: (source) =>
    readList(source.listCategories(), (item) => named(item.category_uuid, [item.course_category], [item.label])),
  templates: (source) => readList(source.listTemplates(), (item) => named(item.template_uuid, [item.template_name])),
  formats: (source) =>
    readList(source.listFormats(), ({ course_format_uuid, name, preferredLabels }) =>
      named(
        course_format_uuid,
        [name],
        preferredLabels.map(({ label }) => label),
      ),
    ),
  currencies: (source) =>
    readList(source.listCurrencies(), (item) => named(item.currency_uuid, [item.code, item.name])),
  languages: (source) => readList(source.listLanguages(), (item) => named(item.language_uuid, [item.name])),
  modules: (source) => readList(source.listModules(), (item) => named(item.module_uuid, [item.name, item.code])),
}

async function readList<T>(pages: Parameters<typeof collectItems<T>>[0], read: (item: T) => Reference[]) {
  const { items, complete } = await collectItems(pages)
  return { references: items.flatMap(read), complete }
}

/** Returns an empty array for an item without a uuid, because nothing can refer to it. */
function named(uuid: string | null, names: OptionalName[], labels: OptionalName[] = []): Reference[] {
  const filled = (list: readonly OptionalName[]) => list.filter((word): word is string => Boolean(word?.trim()))
  return uuid ? [{ uuid, names: filled(names), labels: filled(labels) }] : []
}
