// The lists of the service as `credsync lists` shows them: how each is read, and what is shown of it.

import type { Issuer } from '#src/issuer/issuer.ts'
import type { Pages } from '#src/issuer/lists/walk-list.ts'

export interface ServiceListQuery {
  issuer: Issuer
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
  titles: readonly string[]
  /** What the list belongs to: read per course, or filtered by certification body. */
  belongsTo?: 'course' | 'certification body'
  read(options: ServiceListQuery): Promise<ServiceListResult>
}

interface ListPlan<T extends object> extends Pick<ServiceList, 'belongsTo'> {
  walk(options: ServiceListQuery): Pages<T>
  uuid(item: T): string | null
  columns: Readonly<Record<string, (item: T) => string | null | undefined>>
}

function list<T extends object>({ belongsTo, walk, uuid, columns }: ListPlan<T>): ServiceList {
  const cells = (item: T) => [uuid(item) ?? '', ...Object.values(columns).map((cell) => cell(item) ?? '')]
  return {
    ...(belongsTo && { belongsTo }),
    titles: ['uuid', ...Object.keys(columns)],
    async read(options) {
      // Imported here, because the help of the command lists the names of these lists.
      const { collectItems } = await import('#src/issuer/lists/walk-list.ts')
      const { items: all, complete } = await collectItems(walk(options))
      // Keyed by the whole item, because a category appears once per language under one uuid.
      const items = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()]
      return { items, complete, rows: items.map(cells) }
    },
  }
}

const bodyOf = ({ certificationBody }: ServiceListQuery) =>
  certificationBody ? { certificationUuid: certificationBody } : {}
const yesNo = (value: boolean | null) => (value === null ? '' : value ? 'yes' : 'no')

export const serviceLists = {
  currencies: list({
    walk: ({ issuer }) => issuer.listCurrencies(),
    uuid: (each) => each.currency_uuid,
    columns: {
      code: (each) => each.code,
      name: (each) => each.name,
      symbol: (each) => each.symbol,
      default: (each) => (each.default ? 'yes' : ''),
    },
  }),
  languages: list({
    walk: ({ issuer }) => issuer.listLanguages(),
    uuid: (each) => each.language_uuid,
    columns: { name: (each) => each.name },
  }),
  templates: list({
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
    walk: ({ issuer }) => issuer.listCategories(),
    uuid: (each) => each.category_uuid,
    columns: { category: (each) => each.course_category, language: (each) => each.code, label: (each) => each.label },
  }),
  formats: list({
    walk: ({ issuer }) => issuer.listFormats(),
    uuid: (each) => each.course_format_uuid,
    columns: {
      name: (each) => each.name,
      labels: (each) => each.preferredLabels.map(({ code, label }) => `${code}: ${label}`).join(', '),
    },
  }),
  modules: list({
    walk: ({ issuer }) => issuer.listModules(),
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
    walk: ({ issuer }) => issuer.listCertificationBodies(),
    uuid: (each) => each.certification_uuid,
    columns: { name: (each) => each.user_name },
  }),
  sponsors: list({
    belongsTo: 'certification body',
    walk: (options) => options.issuer.listSponsors(bodyOf(options)),
    uuid: (each) => each.uuid,
    columns: { name: (each) => each.sponsor_name },
  }),
  signatures: list({
    belongsTo: 'certification body',
    walk: (options) => options.issuer.listSignatures(bodyOf(options)),
    uuid: (each) => each.uuid,
    columns: { name: (each) => each.member_name, designation: (each) => each.designation?.designation_name },
  }),
  'mail-templates': list({
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
