// Reads the service's reference lists (currencies, languages, templates and so on). Their uuids are used in courses and
// invitations. An item has every documented key and no others.

import { z } from 'zod'
import type { Endpoint, EndpointName } from '#src/issuer/endpoint.ts'
import { flag, lenientText, numberOrNull, text, yesOrNo } from '#src/issuer/lenient-schemas.ts'
import type { ServiceReader } from '#src/issuer/retrying-reader.ts'
import { routeTo } from '#src/issuer/routes.ts'
import { walkPages } from '#src/issuer/walk-pages.ts'
import { readListPage } from './list-request.ts'
import { type ListDescription, type PagedQuery, type Pages, walkList } from './walk-list.ts'

/** Restricts a list to one certification body. It is not documented what the service returns without this filter. */
interface CertificationBodyFilter {
  certificationUuid?: string
}

export type ReferenceLists = ReturnType<typeof openReferenceLists>

/** Search keys are those of the service's documentation. Each walk throws the errors of the reader, and WireError. */
export function openReferenceLists(endpoints: Record<EndpointName, Endpoint>, read: ServiceReader) {
  const walk = <S extends z.ZodType>(list: ListDescription<S>, query?: PagedQuery<object>): Pages<z.output<S>> =>
    walkList(endpoints[list.name], read, list, query)
  const ofBody = (certificationUuid: string | undefined) => ({
    extraFields: { certification_uuid: certificationUuid },
    upperCaseOrder: true,
  })
  return {
    listCurrencies: (query?: PagedQuery<{ name?: string; code?: string }>) =>
      walk({ name: 'currency-list', item: currencyShape, uuid: (each) => each.currency_uuid }, query),
    listLanguages: (query?: PagedQuery<{ name?: string }>) =>
      walk({ name: 'language-list', item: languageShape, uuid: (each) => each.language_uuid }, query),
    /** Templates of the organisation, for certificates and badges. */
    listTemplates: (query?: PagedQuery) =>
      walk({ name: 'template-list', item: templateShape, uuid: (each) => each.template_uuid }, query),
    listCategories: (query?: PagedQuery) =>
      walk({ name: 'category-list', item: categoryShape, uuid: categoryKey }, query),
    listFormats: (query?: PagedQuery<{ name?: string }>) =>
      walk({ name: 'format-list', item: formatShape, uuid: (each) => each.course_format_uuid }, query),
    /** Yields one page, because the endpoint has no paging parameters. It is `cut` if its pager counts more items. */
    listCertificationBodies: () => walkBodies(endpoints['certification-body-list'], read),
    listSponsors: ({
      certificationUuid,
      ...query
    }: PagedQuery<{ sponsor_name?: string }> & CertificationBodyFilter = {}) =>
      walk({ name: 'sponsor-list', item: sponsorShape, uuid: uuidOf, ...ofBody(certificationUuid) }, query),
    listSignatures: ({
      certificationUuid,
      ...query
    }: PagedQuery<{ member_name?: string; designation_name?: string }> & CertificationBodyFilter = {}) =>
      walk({ name: 'signature-list', item: signatureShape, uuid: uuidOf, ...ofBody(certificationUuid) }, query),
    /** The modules that courses can be composed of. */
    listModules: (query?: PagedQuery<{ name?: string }>) =>
      walk({ name: 'module-list', item: moduleShape, uuid: (each) => each.module_uuid }, query),
    /** The active mail templates of a course, which invitations may use. */
    listMailTemplates(courseUuid: string, query?: PagedQuery) {
      // The parameter table calls it course_uuid, the example courseUUID.
      const extraFields = { course_uuid: courseUuid, courseUUID: courseUuid }
      const uuid = (each: z.infer<typeof mailTemplateShape>) => each.custom_email_template_uuid
      return walk({ name: 'mail-template-list', item: mailTemplateShape, uuid, extraFields }, query)
    },
  }
}

const uuidOf = (item: { uuid: string | null }) => item.uuid

// A category has a label for each language, and may be listed once for each language.
const categoryKey = (item: { category_uuid: string | null; code: string | null }) =>
  item.category_uuid && `${item.category_uuid} ${item.code}`

function walkBodies(endpoint: Endpoint, read: ServiceReader): Pages<z.infer<typeof certificationBodyShape>> {
  return walkPages({
    async fetch() {
      const envelope = await read(endpoint, routeTo('certification-body-list'))
      const page = readListPage(certificationBodyShape, envelope, endpoint.name)
      // Without a pager the list is complete, and there is no second page to request.
      return { ...page, filteredRecords: page.filteredRecords ?? page.items.length }
    },
    identify: (body) => body.certification_uuid ?? JSON.stringify(body),
    recordsPerPage: 0,
    maxPages: 1,
    distinct: true,
  })
}

const currencyShape = z.object({
  currency_uuid: text,
  name: text,
  code: text,
  symbol: lenientText,
  /** Documented as 0 or 1. */
  default: flag.transform((value) => value ?? false),
})

const languageShape = z.object({ language_uuid: text, name: text })

/** A certificate or badge template; the list does not distinguish the two. */
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

const categoryShape = z.object({
  category_uuid: text,
  course_category: text,
  /** The code of the label's language. */
  code: text,
  label: text,
})

const formatShape = z.object({
  course_format_uuid: text,
  name: text,
  preferredLabels: z
    .array(z.object({ code: text, label: text }))
    .nullish()
    .transform((labels) => labels ?? []),
})

const certificationBodyShape = z.object({ certification_uuid: text, user_name: text })

const sponsorShape = z.object({ uuid: text, sponsor_name: text })

const signatureShape = z.object({
  uuid: text,
  member_name: text,
  designation: z
    .object({ designation_name: text })
    .nullish()
    .transform((value) => value ?? null),
})

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

const mailTemplateShape = z.object({
  custom_email_template_uuid: text,
  custom_email_template_name: text,
  is_active: yesOrNo,
  language_code: text,
})
