// The reference lists that are searched and paged: what courses are made of and who signs their credentials.

import type { Endpoint } from '#src/sandbox/call.ts'
import type { Premises } from '#src/sandbox/premises.ts'
import type { Fields } from '#src/sandbox/read-body.ts'
import { Refusal } from '#src/sandbox/refusal.ts'
import { categoryLines } from '#src/sandbox/seeds/categories.ts'
import { type Belonging, certificationBodies, signatures, sponsors } from '#src/sandbox/seeds/certification-bodies.ts'
import { currencies } from '#src/sandbox/seeds/currencies.ts'
import { formats } from '#src/sandbox/seeds/formats.ts'
import { languages } from '#src/sandbox/seeds/languages.ts'
import { modules } from '#src/sandbox/seeds/modules.ts'
import { inData, type Listing, listEndpoint } from './list-endpoint.ts'
import { templateItems } from './template-items.ts'

const institute = '/api/institute/v1'
const certification = '/api/certification/v1/template'

export function referenceListEndpoints(premises: Premises): Endpoint[] {
  const list = <T extends object>(listing: Listing<T>) => listEndpoint(premises, listing)
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

/** Those of one certification body where the call names one. @throws Refusal 404 for one that is not there */
function belonging<T>(all: readonly Belonging<T>[], { certification_uuid: of }: Fields): T[] {
  const none = of === undefined || of === null || of === ''
  if (!none && !certificationBodies.some((each) => each.certification_uuid === of))
    throw new Refusal(404, 'Not found: there is no such certification body.')
  return all.filter((each) => none || each.certification === of).map(({ item }) => item)
}
