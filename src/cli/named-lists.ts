// The lists of the service as `credsync lists` shows them: how each is read and searched, and which of its columns matter.

import type { Issuer } from '#src/issuer/issuer.ts'
import { collectItems, type Pages } from '#src/issuer/list.ts'
import type { Column } from './table.ts'

export interface Asked {
  issuer: Issuer
  search?: string | undefined
  /** Uuids. */
  course?: string | undefined
  certificationBody?: string | undefined
}

export interface Listed {
  items: object[]
  /** False when the service promised more than it gave. */
  complete: boolean
  /** A row of cells for each item. */
  rows: string[][]
}

export interface NamedList {
  /** The service's own search keys; none where its document names none, and what comes is looked through here. */
  keys: readonly string[]
  columns: readonly Column[]
  /** What the list belongs to: asked for each course, or narrowed to a certification body. */
  of?: 'course' | 'certification body'
  read(asked: Asked): Promise<Listed>
}

type Search = Readonly<Record<string, string>> | undefined

interface ListPlan<T extends object> extends Pick<NamedList, 'keys' | 'of'> {
  walk(asked: Asked, search: Search): Pages<T>
  uuid(item: T): string | null
  columns: Readonly<Record<string, (item: T) => string | null | undefined>>
}

function list<T extends object>({ keys, of, walk, uuid, columns }: ListPlan<T>): NamedList {
  const cells = (item: T) => [uuid(item) ?? '', ...Object.values(columns).map((cell) => cell(item) ?? '')]
  return {
    keys,
    ...(of && { of }),
    columns: [{ title: 'uuid', whole: true }, ...Object.keys(columns).map((title) => ({ title }))],
    async read(asked) {
      const { search } = asked
      // How the service joins several keys is not documented, so each is asked for by itself.
      const searches = search !== undefined && keys.length > 0 ? keys.map((key) => ({ [key]: search })) : [undefined]
      const found = new Map<string, T>()
      let complete = true
      for (const each of searches) {
        const part = await collectItems(walk(asked, each))
        complete &&= part.complete
        // The whole item, for a category comes once for each language under one uuid.
        for (const item of part.items) found.set(JSON.stringify(item), item)
      }
      let items = [...found.values()]
      if (search !== undefined && keys.length === 0)
        items = items.filter((item) => cells(item).some((cell) => folded(cell).includes(folded(search))))
      return { items, complete, rows: items.map(cells) }
    },
  }
}

const query = (search: Search) => (search ? { search } : {})
const ofBody = ({ certificationBody }: Asked, search: Search) => ({
  ...query(search),
  ...(certificationBody && { certificationUuid: certificationBody }),
})
const yesNo = (value: boolean | null) => (value === null ? '' : value ? 'yes' : 'no')
const folded = (text: string) => text.normalize('NFKC').toLowerCase()

export const namedLists = {
  currencies: list({
    keys: ['name', 'code'],
    walk: ({ issuer }, search) => issuer.listCurrencies(query(search)),
    uuid: (each) => each.currency_uuid,
    columns: {
      code: (each) => each.code,
      name: (each) => each.name,
      symbol: (each) => each.symbol,
      default: (each) => (each.default ? 'yes' : ''),
    },
  }),
  languages: list({
    keys: ['name'],
    walk: ({ issuer }, search) => issuer.listLanguages(query(search)),
    uuid: (each) => each.language_uuid,
    columns: { name: (each) => each.name },
  }),
  templates: list({
    keys: [],
    walk: ({ issuer }) => issuer.listTemplates(),
    uuid: (each) => each.template_uuid,
    columns: {
      name: (each) => each.template_name,
      active: (each) => yesNo(each.is_active),
      created: (each) => each.created_at?.slice(0, 10),
      description: (each) => each.description,
    },
  }),
  categories: list({
    keys: [],
    walk: ({ issuer }) => issuer.listCategories(),
    uuid: (each) => each.category_uuid,
    columns: { category: (each) => each.course_category, language: (each) => each.code, label: (each) => each.label },
  }),
  formats: list({
    keys: ['name'],
    walk: ({ issuer }, search) => issuer.listFormats(query(search)),
    uuid: (each) => each.course_format_uuid,
    columns: {
      name: (each) => each.name,
      labels: (each) => each.preferredLabels.map(({ code, label }) => `${code}: ${label}`).join(', '),
    },
  }),
  modules: list({
    keys: ['name'],
    walk: ({ issuer }, search) => issuer.listModules(query(search)),
    uuid: (each) => each.module_uuid,
    columns: {
      code: (each) => each.code,
      name: (each) => each.name,
      type: (each) => each.moduleType?.type,
      'max marks': (each) => each.max_marks?.toString(),
      active: (each) => yesNo(each.is_active),
    },
  }),
  'certification-bodies': list({
    keys: [],
    walk: ({ issuer }) => issuer.listCertificationBodies(),
    uuid: (each) => each.certification_uuid,
    columns: { name: (each) => each.user_name },
  }),
  sponsors: list({
    keys: ['sponsor_name'],
    of: 'certification body',
    walk: (asked, search) => asked.issuer.listSponsors(ofBody(asked, search)),
    uuid: (each) => each.uuid,
    columns: { name: (each) => each.sponsor_name },
  }),
  signatures: list({
    keys: ['member_name', 'designation_name'],
    of: 'certification body',
    walk: (asked, search) => asked.issuer.listSignatures(ofBody(asked, search)),
    uuid: (each) => each.uuid,
    columns: { name: (each) => each.member_name, designation: (each) => each.designation?.designation_name },
  }),
  'mail-templates': list({
    keys: [],
    of: 'course',
    walk: ({ issuer, course = '' }) => issuer.listMailTemplates(course),
    uuid: (each) => each.custom_email_template_uuid,
    columns: {
      name: (each) => each.custom_email_template_name,
      language: (each) => each.language_code,
      active: (each) => yesNo(each.is_active),
    },
  }),
} as const satisfies Record<string, NamedList>

export type ListName = keyof typeof namedLists
