// Reads the service's eight reference lists (currencies, languages, templates and so on). Their uuids are used in
// courses and invitations.

import { z } from 'zod'
import type { Endpoint } from '#src/issuer/endpoint.ts'
import { flag, lenientText, numberOrNull, text, yesOrNo } from '#src/issuer/lenient-schemas.ts'
import type { ServiceReader } from '#src/issuer/retrying-reader.ts'
import { routeTo } from '#src/issuer/routes.ts'
import { type FetchedPage, walkPages } from '#src/issuer/walk-pages.ts'
import { readListPage } from './list-request.ts'
import { type PagedQuery, type Pages, walkList } from './walk-list.ts'

/** Restricts a list to one certification body. It is not documented what the service returns without this filter. */
interface CertificationBodyFilter {
  certificationUuid?: string
}

/**
 * Search keys are those of the service's documentation. Each walk throws the errors of the reader, and WireError.
 */
export interface ReferenceLists {
  listCurrencies(query?: PagedQuery<{ name?: string; code?: string }>): Pages<Currency>
  listLanguages(query?: PagedQuery<{ name?: string }>): Pages<Language>
  /** Templates of the organisation, for certificates and badges. */
  listTemplates(query?: PagedQuery): Pages<Template>
  listCategories(query?: PagedQuery): Pages<Category>
  listFormats(query?: PagedQuery<{ name?: string }>): Pages<Format>
  /** Yields one page, because the endpoint has no paging parameters. It is `cut` if its pager counts more items. */
  listCertificationBodies(): Pages<CertificationBody>
  listSponsors(query?: PagedQuery<{ sponsor_name?: string }> & CertificationBodyFilter): Pages<Sponsor>
  listSignatures(
    query?: PagedQuery<{ member_name?: string; designation_name?: string }> & CertificationBodyFilter,
  ): Pages<Signature>
}

export type ReferenceListName =
  | 'currency-list'
  | 'language-list'
  | 'template-list'
  | 'category-list'
  | 'format-list'
  | 'certification-body-list'
  | 'sponsor-list'
  | 'signature-list'

export function openReferenceLists(
  endpoints: Record<ReferenceListName, Endpoint>,
  read: ServiceReader,
): ReferenceLists {
  const lists = {
    'currency-list': { name: 'currency-list', item: currencyShape, uuid: (each: Currency) => each.currency_uuid },
    'language-list': { name: 'language-list', item: languageShape, uuid: (each: Language) => each.language_uuid },
    'template-list': { name: 'template-list', item: templateShape, uuid: (each: Template) => each.template_uuid },
    'category-list': { name: 'category-list', item: categoryShape, uuid: categoryKey },
    'format-list': { name: 'format-list', item: formatShape, uuid: (each: Format) => each.course_format_uuid },
  } as const
  const bodyFilter = (certificationUuid: string | undefined) => ({
    extraFields: { certification_uuid: certificationUuid },
    upperCaseOrder: true,
  })
  return {
    listCurrencies: (query) => walkList(endpoints['currency-list'], read, lists['currency-list'], query),
    listLanguages: (query) => walkList(endpoints['language-list'], read, lists['language-list'], query),
    listTemplates: (query) => walkList(endpoints['template-list'], read, lists['template-list'], query),
    listCategories: (query) => walkList(endpoints['category-list'], read, lists['category-list'], query),
    listFormats: (query) => walkList(endpoints['format-list'], read, lists['format-list'], query),
    listCertificationBodies: () => walkBodies(endpoints['certification-body-list'], read),
    listSponsors({ certificationUuid, ...query } = {}) {
      const sponsors = {
        name: 'sponsor-list',
        item: sponsorShape,
        uuid: uuidOf,
        ...bodyFilter(certificationUuid),
      } as const
      return walkList(endpoints['sponsor-list'], read, sponsors, query)
    },
    listSignatures({ certificationUuid, ...query } = {}) {
      const signatures = {
        name: 'signature-list',
        item: signatureShape,
        uuid: uuidOf,
        ...bodyFilter(certificationUuid),
      } as const
      return walkList(endpoints['signature-list'], read, signatures, query)
    },
  }
}

const uuidOf = (item: { uuid: string | null }) => item.uuid

// A category has a label for each language, and may be listed once for each language.
const categoryKey = (item: Category) => item.category_uuid && `${item.category_uuid} ${item.code}`

function walkBodies(endpoint: Endpoint, read: ServiceReader): Pages<CertificationBody> {
  return walkPages({
    async fetch(): Promise<FetchedPage<CertificationBody>> {
      const page = readListPage(
        certificationBodyShape,
        await read(endpoint, routeTo('certification-body-list')),
        endpoint.name,
      )
      // Without a pager the list is complete, and there is no second page to request.
      return { ...page, filteredRecords: page.filteredRecords ?? page.items.length }
    },
    identify: (body) => body.certification_uuid ?? JSON.stringify(body),
    recordsPerPage: 0,
    maxPages: 1,
    distinct: true,
  })
}

// zod schemas for the items of the eight reference lists: every documented key and no others.

const currencyShape = z.object({
  currency_uuid: text,
  name: text,
  code: text,
  symbol: lenientText,
  /** Documented as 0 or 1. */
  default: flag.transform((value) => value ?? false),
})
type Currency = z.infer<typeof currencyShape>

const languageShape = z.object({ language_uuid: text, name: text })
type Language = z.infer<typeof languageShape>

const templateShape = z.object({
  template_uuid: text,
  template_name: text,
  description: lenientText,
  /** Untrusted HTML: must never be displayed unescaped. */
  html_code: lenientText,
  /** Null for a template that belongs to no institute. */
  institute_id: lenientText,
  is_active: yesOrNo,
  created_at: lenientText,
})
/** A certificate or badge template: the list does not say which it is. */
type Template = z.infer<typeof templateShape>

const categoryShape = z.object({
  category_uuid: text,
  course_category: text,
  /** The code of the label's language. */
  code: text,
  label: text,
})
type Category = z.infer<typeof categoryShape>

const formatShape = z.object({
  course_format_uuid: text,
  name: text,
  preferredLabels: z
    .array(z.object({ code: text, label: text }))
    .nullish()
    .transform((labels) => labels ?? []),
})
type Format = z.infer<typeof formatShape>

const certificationBodyShape = z.object({ certification_uuid: text, user_name: text })
type CertificationBody = z.infer<typeof certificationBodyShape>

const sponsorShape = z.object({ uuid: text, sponsor_name: text })
type Sponsor = z.infer<typeof sponsorShape>

const signatureShape = z.object({
  uuid: text,
  member_name: text,
  designation: z
    .object({ designation_name: text })
    .nullish()
    .transform((value) => value ?? null),
})
type Signature = z.infer<typeof signatureShape>

// Lists the modules that courses can be composed of.

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
type Module = z.infer<typeof moduleShape>

/** Throws the errors of the reader, and WireError. */
export type ListModules = (query?: PagedQuery<{ name?: string }>) => Pages<Module>

export function openModules(endpoint: Endpoint, read: ServiceReader): ListModules {
  return (query) =>
    walkList(endpoint, read, { name: 'module-list', item: moduleShape, uuid: (item) => item.module_uuid }, query)
}

// Lists the active mail templates of a course, which invitations may use.

const mailTemplateShape = z.object({
  custom_email_template_uuid: text,
  custom_email_template_name: text,
  is_active: yesOrNo,
  language_code: text,
})
type MailTemplate = z.infer<typeof mailTemplateShape>

/** Throws the errors of the reader, and WireError. */
export type ListMailTemplates = (courseUuid: string, query?: PagedQuery) => Pages<MailTemplate>

export function openMailTemplates(endpoint: Endpoint, read: ServiceReader): ListMailTemplates {
  return (courseUuid, query) =>
    walkList(
      endpoint,
      read,
      {
        name: 'mail-template-list',
        item: mailTemplateShape,
        uuid: (item) => item.custom_email_template_uuid,
        // The parameter table calls it course_uuid, the example courseUUID.
        extraFields: { course_uuid: courseUuid, courseUUID: courseUuid },
      },
      query,
    )
}
