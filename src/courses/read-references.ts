// The lists in which the names of a course file are looked up, each read whole.

import { collectItems } from '#src/issuer/list.ts'
import type { ListModules } from '#src/issuer/modules.ts'
import type { ReferenceLists } from '#src/issuer/reference-lists.ts'
import type { ListName } from './course-keys.ts'

export interface Reference {
  uuid: string
  /** What it is called, first of all; for a currency its code too. */
  names: readonly string[]
  /** What it is called as well, in any language; looked at when no name fits. */
  labels: readonly string[]
}

export interface ReferenceList {
  references: Reference[]
  /** False when the list was cut: then a name that is missing may stand in the rest of it. */
  complete: boolean
}

export type References = Partial<Record<ListName, ReferenceList>>

export type ReferenceSource = ReferenceLists & { listModules: ListModules }

/** Reads the lists that are named. Throws what the lists of the client throw. */
export async function readReferences(source: ReferenceSource, wanted: readonly ListName[]): Promise<References> {
  const read = await Promise.all([...new Set(wanted)].map(async (name) => [name, await readOne(source, name)] as const))
  return Object.fromEntries(read)
}

async function readOne(source: ReferenceSource, name: ListName): Promise<ReferenceList> {
  const { items, complete } = await walks[name](source)
  return { references: items.flatMap(({ uuid, names, labels }) => reference(uuid, names, labels)), complete }
}

type Word = string | null | undefined
type Named = { uuid: string | null; names: Word[]; labels?: Word[] | undefined }
type Walk = (source: ReferenceSource) => Promise<{ items: Named[]; complete: boolean }>

const walks: Record<ListName, Walk> = {
  certificationBodies: (source) =>
    each(source.listCertificationBodies(), (item) => ({ uuid: item.certification_uuid, names: [item.user_name] })),
  // A category comes once for each language of its label.
  categories: (source) =>
    each(source.listCategories(), (item) => ({
      uuid: item.category_uuid,
      names: [item.course_category],
      labels: [item.label],
    })),
  templates: (source) =>
    each(source.listTemplates(), (item) => ({ uuid: item.template_uuid, names: [item.template_name] })),
  formats: (source) =>
    each(source.listFormats(), (item) => ({
      uuid: item.course_format_uuid,
      names: [item.name],
      labels: item.preferredLabels.map(({ label }) => label),
    })),
  currencies: (source) =>
    each(source.listCurrencies(), (item) => ({ uuid: item.currency_uuid, names: [item.code, item.name] })),
  languages: (source) => each(source.listLanguages(), (item) => ({ uuid: item.language_uuid, names: [item.name] })),
  modules: (source) =>
    each(source.listModules(), (item) => ({ uuid: item.module_uuid, names: [item.name, item.code] })),
}

async function each<T>(pages: Parameters<typeof collectItems<T>>[0], named: (item: T) => Named) {
  const { items, complete } = await collectItems(pages)
  return { items: items.map(named), complete }
}

/** Nothing for an item without a uuid: it cannot be meant. */
function reference(uuid: string | null, names: Named['names'], labels: Named['labels'] = []): Reference[] {
  const words = (list: readonly Word[]) => list.filter((word): word is string => Boolean(word?.trim()))
  return uuid ? [{ uuid, names: words(names), labels: words(labels) }] : []
}
