// The lists of the service as `credsync lists` shows them: how each is read and searched, and what is shown of it. Also
// the default names of files about a course.

import type { Issuer } from '#src/issuer/issuer.ts'
import type { Pages } from '#src/issuer/lists/walk-list.ts'

export interface ServiceListQuery {
  issuer: Issuer
  search?: string | undefined
  /** Uuids. */
  course?: string | undefined
  certificationBody?: string | undefined
}

export interface ServiceListResult {
  items: object[]
  /** False if the service announced more items than it returned. */
  complete: boolean
  /** One row of cells per item. */
  rows: string[][]
}

export interface ServiceList {
  /** The search keys that the service documents; if there are none, the items are filtered here. */
  keys: readonly string[]
  titles: readonly string[]
  /** What the list belongs to: read per course, or filtered by certification body. */
  belongsTo?: 'course' | 'certification body'
  read(options: ServiceListQuery): Promise<ServiceListResult>
}

type Search = Readonly<Record<string, string>> | undefined

interface ListPlan<T extends object> extends Pick<ServiceList, 'keys' | 'belongsTo'> {
  walk(options: ServiceListQuery, search: Search): Pages<T>
  uuid(item: T): string | null
  columns: Readonly<Record<string, (item: T) => string | null | undefined>>
}

function list<T extends object>({ keys, belongsTo, walk, uuid, columns }: ListPlan<T>): ServiceList {
  const cells = (item: T) => [uuid(item) ?? '', ...Object.values(columns).map((cell) => cell(item) ?? '')]
  return {
    keys,
    ...(belongsTo && { belongsTo }),
    titles: ['uuid', ...Object.keys(columns)],
    async read(options) {
      // Imported here, because the help of the command lists the names and keys of these lists.
      const { collectItems } = await import('#src/issuer/lists/walk-list.ts')
      const { search } = options
      // It is not documented how the service combines several keys, so each is searched separately.
      const searches = search !== undefined && keys.length > 0 ? keys.map((key) => ({ [key]: search })) : [undefined]
      const found = new Map<string, T>()
      let complete = true
      for (const search of searches) {
        const part = await collectItems(walk(options, search))
        complete &&= part.complete
        // Keyed by the whole item, because a category appears once per language under one uuid.
        for (const item of part.items) found.set(JSON.stringify(item), item)
      }
      let items = [...found.values()]
      if (search !== undefined && keys.length === 0)
        items = items.filter((item) => cells(item).some((cell) => caseFolded(cell).includes(caseFolded(search))))
      return { items, complete, rows: items.map(cells) }
    },
  }
}

const query = (search: Search) => (search ? { search } : {})
const queryForBody = ({ certificationBody }: ServiceListQuery, search: Search) => ({
  ...query(search),
  ...(certificationBody && { certificationUuid: certificationBody }),
})
const yesNo = (value: boolean | null) => (value === null ? '' : value ? 'yes' : 'no')
const caseFolded = (text: string) => text.normalize('NFKC').toLowerCase()

export const serviceLists = {
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
    belongsTo: 'certification body',
    walk: (options, search) => options.issuer.listSponsors(queryForBody(options, search)),
    uuid: (each) => each.uuid,
    columns: { name: (each) => each.sponsor_name },
  }),
  signatures: list({
    keys: ['member_name', 'designation_name'],
    belongsTo: 'certification body',
    walk: (options, search) => options.issuer.listSignatures(queryForBody(options, search)),
    uuid: (each) => each.uuid,
    columns: { name: (each) => each.member_name, designation: (each) => each.designation?.designation_name },
  }),
  'mail-templates': list({
    keys: [],
    belongsTo: 'course',
    walk: ({ issuer, course = '' }) => issuer.listMailTemplates(course),
    uuid: (each) => each.custom_email_template_uuid,
    columns: {
      name: (each) => each.custom_email_template_name,
      language: (each) => each.language_code,
      active: (each) => yesNo(each.is_active),
    },
  }),
} as const satisfies Record<string, ServiceList>

export type ServiceListName = keyof typeof serviceLists

/**
 * Returns the default name of a file about a course, made from the word that the user gave for the course. Pure.
 * @param ending such as .recipients.csv
 */
export function courseFileName(word: string, ending: string): string {
  const name = word
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80)
  return `${name || 'course'}${ending}`
}
