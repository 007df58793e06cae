// Reads every list of the service through the client, page by page, against a scripted server.

import { describe, expect, test } from 'vitest'
import type { Issuer } from '#src/issuer/issuer.ts'
import { collectItems, type Pages } from '#src/issuer/lists/walk-list.ts'
import { WireError } from '#src/issuer/read-shape.ts'
import { envelope } from '#test/support/scripted-server.ts'
import { type Bench, openBench } from '../client-bench.ts'

type Walk = (issuer: Issuer) => Pages<unknown>
interface Case {
  path: string
  /** The key that holds the item's uuid. */
  uuid: string
  walk: Walk
  /** An item as in the service's documentation. */
  item: Record<string, unknown>
  /** The item as the client returns it; by default the same as `item`. */
  read?: Record<string, unknown>
  /** The key of the response that contains the items; `bare` if the response is the list itself. */
  itemsKey?: 'data' | 'sponsors' | 'digitalSignatures' | 'bare'
  /** The search and other fields that the request must contain. */
  expectedRequest?: Record<string, unknown>
}

const cases: Record<string, Case> = {
  courses: {
    path: '/course/list',
    uuid: 'course_uuid',
    walk: (issuer) => issuer.listCourses({ search: { course_name: 'Weld' }, sortBy: 'course_name', sortOrder: 'asc' }),
    item: {
      course_name: 'Welding',
      category_uuid: 'g',
      course_category: 'Trades',
      is_active: 1,
      approval_status_id: 2,
      course_number: 'W1',
      course_uuid: 'c',
      institute_name: 'I',
      institute_uuid: 'i',
      audit_status_id: 5,
      course_category_preferredLabel: null,
    },
    expectedRequest: {
      search: '{"course_name":"Weld"}',
      _search: '{"course_name":"Weld"}',
      sortBy: 'course_name',
      sortOrder: 'asc',
    },
  },
  modules: {
    path: '/module/list',
    uuid: 'module_uuid',
    walk: (issuer) => issuer.listModules({ search: { name: 'm' } }),
    item: { name: 'M', module_uuid: 'u', is_active: true, code: 'C', max_marks: '100', moduleType: { type: 'Core' } },
    read: { name: 'M', module_uuid: 'u', is_active: true, code: 'C', max_marks: 100, moduleType: { type: 'Core' } },
    expectedRequest: { search: '{"name":"m"}', _search: '{"name":"m"}' },
  },
  'mail templates': {
    path: '/customMailTemplate/list',
    uuid: 'custom_email_template_uuid',
    walk: (issuer) => issuer.listMailTemplates('c'),
    item: { custom_email_template_uuid: 'u', custom_email_template_name: 'N', is_active: 1, language_code: 'en' },
    read: { custom_email_template_uuid: 'u', custom_email_template_name: 'N', is_active: true, language_code: 'en' },
    itemsKey: 'bare',
    expectedRequest: { course_uuid: 'c', courseUUID: 'c' },
  },
  currencies: {
    path: '/course/currency/list',
    uuid: 'currency_uuid',
    walk: (issuer) => issuer.listCurrencies({ search: { code: 'EUR' } }),
    item: { currency_uuid: 'u', name: 'Euro', code: 'EUR', symbol: '€', default: 1 },
    read: { currency_uuid: 'u', name: 'Euro', code: 'EUR', symbol: '€', default: true },
    expectedRequest: { search: '{"code":"EUR"}', _search: '{"code":"EUR"}' },
  },
  languages: {
    path: '/course/language/list',
    uuid: 'language_uuid',
    walk: (issuer) => issuer.listLanguages({ search: { name: 'Ger' } }),
    item: { language_uuid: 'u', name: 'German' },
    expectedRequest: { search: '{"name":"Ger"}', _search: '{"name":"Ger"}' },
  },
  templates: {
    path: '/course/template/list',
    uuid: 'template_uuid',
    walk: (issuer) => issuer.listTemplates(),
    item: {
      template_uuid: 'u',
      template_name: 'T',
      description: 'd',
      html_code: '<b>',
      institute_id: null,
      is_active: true,
      created_at: '2026-01-01T00:00:00.000Z',
    },
  },
  categories: {
    path: '/course/category/list',
    uuid: 'category_uuid',
    walk: (issuer) => issuer.listCategories(),
    item: { category_uuid: 'u', course_category: 'Trades', code: 'en', label: 'Trades' },
  },
  formats: {
    path: '/course/format/list',
    uuid: 'course_format_uuid',
    walk: (issuer) => issuer.listFormats({ search: { name: 'Online' } }),
    item: { course_format_uuid: 'u', name: 'Online', preferredLabels: [{ code: 'en', label: 'Online' }] },
    expectedRequest: { search: '{"name":"Online"}', _search: '{"name":"Online"}' },
  },
  sponsors: {
    path: '/template/sponsor/list',
    uuid: 'uuid',
    walk: (issuer) =>
      issuer.listSponsors({
        certificationUuid: 'b',
        search: { sponsor_name: 'S' },
        sortBy: 'sponsor_name',
        sortOrder: 'desc',
      }),
    item: { uuid: 'u', sponsor_name: 'S' },
    itemsKey: 'sponsors',
    expectedRequest: {
      certification_uuid: 'b',
      search: '{"sponsor_name":"S"}',
      sortBy: 'sponsor_name',
      sortOrder: 'DESC',
    },
  },
  signatures: {
    path: '/template/signature/list',
    uuid: 'uuid',
    walk: (issuer) => issuer.listSignatures({ certificationUuid: 'b', search: { member_name: 'M' }, sortOrder: 'asc' }),
    item: { uuid: 'u', member_name: 'M', designation: { designation_name: 'Dean' } },
    itemsKey: 'digitalSignatures',
    expectedRequest: { certification_uuid: 'b', search: '{"member_name":"M"}', sortOrder: 'ASC' },
  },
}

const inHolder = (items: unknown[], itemsKey: Case['itemsKey'] = 'data') =>
  itemsKey === 'bare' ? items : { [itemsKey]: items }

const collectAll = async (bench: Bench, walk: Walk) => collectItems(walk(bench.issuer))
const requestBodies = (bench: Bench, path: string) =>
  bench.server.requests(path).map((request) => JSON.parse(request.body))

describe.each(Object.entries(cases))('the list of %s', (_name, list) => {
  test('is requested as documented, and its items have every documented key and no unknown ones', async () => {
    await using bench = await openBench()
    bench.server.on(
      list.path,
      envelope(inHolder([{ ...list.item, strange: 1 }], list.itemsKey), { filteredRecords: 1 }),
    )
    expect(await collectAll(bench, list.walk)).toEqual({ items: [list.read ?? list.item], complete: true })
    expect(requestBodies(bench, list.path)[0]).toMatchObject({
      pageNumber: 1,
      recordsPerPage: 200,
      ...list.expectedRequest,
    })
    if (!list.expectedRequest?.search) expect(requestBodies(bench, list.path)[0]).not.toHaveProperty('search')
  })

  test('treats absent keys as null, and reports values of the wrong type', async () => {
    await using bench = await openBench()
    const nothing = Object.fromEntries(Object.keys(list.item).map((key) => [key, null]))
    const [key = ''] = Object.keys(list.item)
    bench.server.on(list.path, envelope(inHolder([nothing, {}], list.itemsKey), { filteredRecords: 2 }))
    const { items } = await collectAll(bench, list.walk)
    expect(items[0]).toEqual(items[1])
    bench.server.on(list.path, envelope(inHolder([{ [key]: { secret: 'hunter2' } }], list.itemsKey)))
    const error = await collectAll(bench, list.walk).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WireError)
    expect(String(error)).toContain(key)
    expect(String(error)).not.toContain('hunter2')
  })
})

describe('the list of certification bodies', () => {
  const path = '/certification-body/list'
  const bodies = [{ certification_uuid: 'u', user_name: 'Body', more: 1 }]
  const read = [{ certification_uuid: 'u', user_name: 'Body' }]

  test('is read with one GET without a body, and is complete without a pager', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope(bodies))
    expect(await collectAll(bench, (issuer) => issuer.listCertificationBodies())).toEqual({
      items: read,
      complete: true,
    })
    expect(bench.server.requests(path)).toMatchObject([{ method: 'GET', body: '' }])
  })

  test('is reported as incomplete if its pager counts more items', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope(bodies, { filteredRecords: 12 }))
    expect(await collectAll(bench, (issuer) => issuer.listCertificationBodies())).toEqual({
      items: read,
      complete: false,
    })
    expect(bench.server.requests(path)).toHaveLength(1)
  })
})

test('a list that ignores paging and returns everything each time is returned once, as complete', async () => {
  await using bench = await openBench()
  const { path, walk, item } = cases.categories as Case
  const labels = ['en', 'de'].map((code) => ({ ...item, code }))
  bench.server.on(path, envelope({ data: labels }))
  expect(await collectAll(bench, walk)).toEqual({ items: labels, complete: true })
  expect(bench.server.requests(path)).toHaveLength(2)
})
