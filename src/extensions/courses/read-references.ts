// Reads the service's lists (categories, templates, currencies and so on) in which the names of a course file are
// looked up.

import type { ListModules, ReferenceLists } from '#src/issuer/lists/reference-lists.ts'
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

export type ReferenceSource = ReferenceLists & { listModules: ListModules }

/** @throws whatever reading the lists throws */
export async function readReferences(source: ReferenceSource, wanted: readonly CourseListName[]): Promise<References> {
  const read = await Promise.all(
    [...new Set(wanted)].map(async (name) => [name, await readList(source, name)] as const),
  )
  return Object.fromEntries(read)
}

async function readList(source: ReferenceSource, name: CourseListName): Promise<ReferenceList> {
  const { items, complete } = await walks[name](source)
  return { references: items.flatMap(({ uuid, names, labels }) => referencesOf(uuid, names, labels)), complete }
}

type OptionalName = string | null | undefined
type NamedItem = { uuid: string | null; names: OptionalName[]; labels?: OptionalName[] | undefined }
type Walk = (source: ReferenceSource) => Promise<{ items: NamedItem[]; complete: boolean }>

const walks: Record<CourseListName, Walk> = {
  certificationBodies: (source) =>
    collectNamed(source.listCertificationBodies(), (item) => ({
      uuid: item.certification_uuid,
      names: [item.user_name],
    })),
  // A category is listed once for each language of its label.
  categories: (source) =>
    collectNamed(source.listCategories(), (item) => ({
      uuid: item.category_uuid,
      names: [item.course_category],
      labels: [item.label],
    })),
  templates: (source) =>
    collectNamed(source.listTemplates(), (item) => ({ uuid: item.template_uuid, names: [item.template_name] })),
  formats: (source) =>
    collectNamed(source.listFormats(), (item) => ({
      uuid: item.course_format_uuid,
      names: [item.name],
      labels: item.preferredLabels.map(({ label }) => label),
    })),
  currencies: (source) =>
    collectNamed(source.listCurrencies(), (item) => ({ uuid: item.currency_uuid, names: [item.code, item.name] })),
  languages: (source) =>
    collectNamed(source.listLanguages(), (item) => ({ uuid: item.language_uuid, names: [item.name] })),
  modules: (source) =>
    collectNamed(source.listModules(), (item) => ({ uuid: item.module_uuid, names: [item.name, item.code] })),
}

async function collectNamed<T>(pages: Parameters<typeof collectItems<T>>[0], toNamedItem: (item: T) => NamedItem) {
  const { items, complete } = await collectItems(pages)
  return { items: items.map(toNamedItem), complete }
}

/** Returns an empty array for an item without a uuid, because nothing can refer to it. */
function referencesOf(uuid: string | null, names: NamedItem['names'], labels: NamedItem['labels'] = []): Reference[] {
  const filled = (list: readonly OptionalName[]) => list.filter((word): word is string => Boolean(word?.trim()))
  return uuid ? [{ uuid, names: filled(names), labels: filled(labels) }] : []
}
