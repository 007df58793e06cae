// Reads the service's eight reference lists (currencies, languages, templates and so on). Their uuids are used in
// courses and invitations.

import type { Endpoint } from '../endpoint.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { type FetchedPage, walkPages } from '../walk-pages.ts'
import { readListPage } from './list-request.ts'
import {
  type Category,
  type CertificationBody,
  type Currency,
  categoryShape,
  certificationBodyShape,
  currencyShape,
  type Format,
  formatShape,
  type Language,
  languageShape,
  type Signature,
  type Sponsor,
  signatureShape,
  sponsorShape,
  type Template,
  templateShape,
} from './reference-shapes.ts'
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
