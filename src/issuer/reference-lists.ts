// The eight lists from which courses and invitations take their uuids.

import type { Endpoint } from './endpoint.ts'
import { type PagedQuery, type Pages, walkList } from './list.ts'
import { readPage } from './list-request.ts'
import type { Reader } from './reader.ts'
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
import { routeTo } from './routes.ts'
import { type FetchedPage, walkPages } from './walk-pages.ts'

/** Of one certification body; left out, which ones the service shows is not documented. */
interface OfBody {
  certificationUuid?: string
}

/** Search keys are those of the service's document. Each walk throws what Reader throws, and WireError. */
export interface ReferenceLists {
  listCurrencies(query?: PagedQuery<{ name?: string; code?: string }>): Pages<Currency>
  listLanguages(query?: PagedQuery<{ name?: string }>): Pages<Language>
  /** Templates of the organisation, for certificates and badges. */
  listTemplates(query?: PagedQuery): Pages<Template>
  listCategories(query?: PagedQuery): Pages<Category>
  listFormats(query?: PagedQuery<{ name?: string }>): Pages<Format>
  /** One page: nothing can be asked of this list. `cut` when its pager says that there are more. */
  listCertificationBodies(): Pages<CertificationBody>
  listSponsors(query?: PagedQuery<{ sponsor_name?: string }> & OfBody): Pages<Sponsor>
  listSignatures(query?: PagedQuery<{ member_name?: string; designation_name?: string }> & OfBody): Pages<Signature>
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

export function openReferenceLists(endpoints: Record<ReferenceListName, Endpoint>, read: Reader): ReferenceLists {
  const lists = {
    'currency-list': { name: 'currency-list', item: currencyShape, uuid: (each: Currency) => each.currency_uuid },
    'language-list': { name: 'language-list', item: languageShape, uuid: (each: Language) => each.language_uuid },
    'template-list': { name: 'template-list', item: templateShape, uuid: (each: Template) => each.template_uuid },
    'category-list': { name: 'category-list', item: categoryShape, uuid: categoryMark },
    'format-list': { name: 'format-list', item: formatShape, uuid: (each: Format) => each.course_format_uuid },
  } as const
  const ofBody = (certificationUuid: string | undefined) => ({
    also: { certification_uuid: certificationUuid },
    capitals: true,
  })
  return {
    listCurrencies: (query) => walkList(endpoints['currency-list'], read, lists['currency-list'], query),
    listLanguages: (query) => walkList(endpoints['language-list'], read, lists['language-list'], query),
    listTemplates: (query) => walkList(endpoints['template-list'], read, lists['template-list'], query),
    listCategories: (query) => walkList(endpoints['category-list'], read, lists['category-list'], query),
    listFormats: (query) => walkList(endpoints['format-list'], read, lists['format-list'], query),
    listCertificationBodies: () => walkBodies(endpoints['certification-body-list'], read),
    listSponsors({ certificationUuid, ...query } = {}) {
      const sponsors = { name: 'sponsor-list', item: sponsorShape, uuid: uuidOf, ...ofBody(certificationUuid) } as const
      return walkList(endpoints['sponsor-list'], read, sponsors, query)
    },
    listSignatures({ certificationUuid, ...query } = {}) {
      const signatures = {
        name: 'signature-list',
        item: signatureShape,
        uuid: uuidOf,
        ...ofBody(certificationUuid),
      } as const
      return walkList(endpoints['signature-list'], read, signatures, query)
    },
  }
}

const uuidOf = (item: { uuid: string | null }) => item.uuid

// A category has a label for each language, and may come once for each.
const categoryMark = (item: Category) => item.category_uuid && `${item.category_uuid} ${item.code}`

function walkBodies(endpoint: Endpoint, read: Reader): Pages<CertificationBody> {
  return walkPages({
    async fetch(): Promise<FetchedPage<CertificationBody>> {
      const page = readPage(
        certificationBodyShape,
        await read(endpoint, routeTo('certification-body-list')),
        endpoint.name,
      )
      // Without a pager it is whole, and there is no second page to ask for.
      return { ...page, filteredRecords: page.filteredRecords ?? page.items.length }
    },
    identify: (body) => body.certification_uuid ?? JSON.stringify(body),
    recordsPerPage: 0,
    maxPages: 1,
    distinct: true,
  })
}
