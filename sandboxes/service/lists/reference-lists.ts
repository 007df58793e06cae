// The reference lists that can be searched and paged: the parts of courses, and the signatories of credentials.

import type { SandboxEndpoint } from '#sandboxes/service/call.ts'
import type { Fields } from '#sandboxes/service/read-body.ts'
import { SandboxRefusal } from '#sandboxes/service/refusal.ts'
import type { RouteContext } from '#sandboxes/service/route-context.ts'
import { categoryLines } from '#sandboxes/service/seeds/categories.ts'
import {
  type Belonging,
  certificationBodies,
  signatures,
  sponsors,
} from '#sandboxes/service/seeds/certification-bodies.ts'
import { currencies } from '#sandboxes/service/seeds/currencies.ts'
import { formats } from '#sandboxes/service/seeds/formats.ts'
import { languages } from '#sandboxes/service/seeds/languages.ts'
import { modules } from '#sandboxes/service/seeds/modules.ts'
import { inData, type Listing, listEndpoint } from './list-endpoint.ts'
import { templateItems } from './template-items.ts'

const institute = '/api/institute/v1'
const certification = '/api/certification/v1/template'

export function referenceListEndpoints(context: RouteContext): SandboxEndpoint[] {
  const list = <T extends object>(listing: Listing<T>) => listEndpoint(context, listing)
  return [
    list({
      ...listing(`${institute}/course/currency/list`, 'Currency list.', currencies),
      sortable: ['name', 'code'],
      search: { name: (each) => each.name, code: (each) => each.code },
    }),
    list({
      ...listing(`${institute}/course/language/list`, 'Language list.', languages),
      sortable: ['name'],
      search: { name: (each) => each.name },
    }),
    list({
      ...listing(`${institute}/course/template/list`, 'Template list.', templateItems),
      sortable: ['template_name', 'created_at'],
      search: { template_name: (each) => each.template_name },
    }),
    list({
      ...listing(`${institute}/course/category/list`, 'Course category list.', categoryLines),
      sortable: ['course_category', 'code', 'label'],
      search: { course_category: (each) => each.course_category, code: (each) => each.code },
    }),
    list({
      ...listing(`${institute}/course/format/list`, 'Course format list.', formats),
      sortable: ['name'],
      search: { name: (each) => each.name },
    }),
    list({
      ...listing(`${institute}/module/list`, 'Module list.', modules),
      sortable: ['name', 'code', 'max_marks'],
      search: { name: (each) => each.name },
    }),
    list({
      path: `${certification}/sponsor/list`,
      message: 'Sponsor list.',
      items: (fields) => belonging(sponsors, fields),
      sortable: ['sponsor_name'],
      search: { sponsor_name: (each) => each.sponsor_name },
      payload: (items) => ({ sponsors: items }),
      pager: 'sortField',
    }),
    list({
      path: `${certification}/signature/list`,
      message: 'Signature list.',
      items: (fields) => belonging(signatures, fields),
      sortable: ['member_name'],
      search: {
        member_name: (each) => each.member_name,
        designation_name: (each) => each.designation.designation_name,
      },
      payload: (items) => ({ digitalSignatures: items }),
      pager: 'sortField',
    }),
  ]
}

function listing<T extends object>(path: string, message: string, all: readonly T[]) {
  return { path, message, items: () => all, payload: inData }
}

/**
 * Returns the items of one certification body if the call names one, and otherwise all items.
 * @throws SandboxRefusal 404 if it does not exist
 */
function belonging<T>(all: readonly Belonging<T>[], { certification_uuid: bodyUuid }: Fields): T[] {
  const none = bodyUuid === undefined || bodyUuid === null || bodyUuid === ''
  if (!none && !certificationBodies.some((certificationBody) => certificationBody.certification_uuid === bodyUuid))
    throw new SandboxRefusal(404, 'Not found: there is no such certification body.')
  return all.filter((entry) => none || entry.certification === bodyUuid).map(({ item }) => item)
}
