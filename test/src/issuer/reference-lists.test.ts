import { describe, expect, test } from 'vitest'
import type { Issuer } from '#src/issuer/issuer.ts'
import { collectItems, type Pages } from '#src/issuer/list.ts'
import { WireError } from '#src/issuer/wire-error.ts'
import { envelope, json, type Script } from '#test/support/scripted-server.ts'
import { type Bench, openBench } from './bench.ts'

type Walk = (issuer: Issuer) => Pages<unknown>
interface Case {
  path: string
  /** Which key of an item is its own uuid. */
  uuid: string
  walk: Walk
  /** As the service's document shows an item. */
  item: Record<string, unknown>
  /** What is read of it; the item itself when left out. */
  read?: Record<string, unknown>
  holder?: 'data' | 'sponsors' | 'digitalSignatures' | 'bare'
  /** The search, or the other fields, that are asked with. */
  asks?: Record<string, unknown>
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
    asks: {
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
    asks: { search: '{"name":"m"}', _search: '{"name":"m"}' },
  },
  'mail templates': {
    path: '/customMailTemplate/list',
    uuid: 'custom_email_template_uuid',
    walk: (issuer) => issuer.listMailTemplates('c'),
    item: { custom_email_template_uuid: 'u', custom_email_template_name: 'N', is_active: 1, language_code: 'en' },
    read: { custom_email_template_uuid: 'u', custom_email_template_name: 'N', is_active: true, language_code: 'en' },
    holder: 'bare',
    asks: { course_uuid: 'c', courseUUID: 'c' },
  },
  currencies: {
    path: '/course/currency/list',
    uuid: 'currency_uuid',
    walk: (issuer) => issuer.listCurrencies({ search: { code: 'EUR' } }),
    item: { currency_uuid: 'u', name: 'Euro', code: 'EUR', symbol: '€', default: 1 },
    read: { currency_uuid: 'u', name: 'Euro', code: 'EUR', symbol: '€', default: true },
    asks: { search: '{"code":"EUR"}', _search: '{"code":"EUR"}' },
  },
  languages: {
    path: '/course/language/list',
    uuid: 'language_uuid',
    walk: (issuer) => issuer.listLanguages({ search: { name: 'Ger' } }),
    item: { language_uuid: 'u', name: 'German' },
    asks: { search: '{"name":"Ger"}', _search: '{"name":"Ger"}' },
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
    asks: { search: '{"name":"Online"}', _search: '{"name":"Online"}' },
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
    holder: 'sponsors',
    asks: { certification_uuid: 'b', search: '{"sponsor_name":"S"}', sortBy: 'sponsor_name', sortOrder: 'DESC' },
  },
  signatures: {
    path: '/template/signature/list',
    uuid: 'uuid',
    walk: (issuer) => issuer.listSignatures({ certificationUuid: 'b', search: { member_name: 'M' }, sortOrder: 'asc' }),
    item: { uuid: 'u', member_name: 'M', designation: { designation_name: 'Dean' } },
    holder: 'digitalSignatures',
    asks: { certification_uuid: 'b', search: '{"member_name":"M"}', sortOrder: 'ASC' },
  },
}

const inHolder = (items: unknown[], holder: Case['holder'] = 'data') =>
  holder === 'bare' ? items : { [holder]: items }

/** A service with `count` items like the one of `of`, that gives fifty at once. */
function service({ item, holder, uuid }: Case, count: number): Script {
  const all = Array.from({ length: count }, (_, i) => ({ ...item, [uuid]: `u${i}`, strange: 1 }))
  return (seen, ...rest) => {
    const { pageNumber, recordsPerPage } = JSON.parse(seen.body)
    const size = Math.min(50, recordsPerPage)
    const items = all.slice((pageNumber - 1) * size, pageNumber * size)
    envelope(inHolder(items, holder), { filteredRecords: count, totalRecords: count, sortField: 'x' })(seen, ...rest)
  }
}

const everything = async (bench: Bench, walk: Walk) => collectItems(walk(bench.issuer))
const asked = (bench: Bench, path: string) => bench.server.requests(path).map((each) => JSON.parse(each.body))

describe.each(Object.entries(cases))('the list of %s', (_name, of) => {
  test('is asked as documented and read key by key, unknown keys left out', async () => {
    await using bench = await openBench()
    bench.server.on(of.path, envelope(inHolder([{ ...of.item, strange: 1 }], of.holder), { filteredRecords: 1 }))
    expect(await everything(bench, of.walk)).toEqual({ items: [of.read ?? of.item], complete: true })
    expect(asked(bench, of.path)[0]).toMatchObject({ pageNumber: 1, recordsPerPage: 200, ...of.asks })
    if (!of.asks?.search) expect(asked(bench, of.path)[0]).not.toHaveProperty('search')
  })

  test('is read to its end over pages shorter than asked', async () => {
    await using bench = await openBench()
    bench.server.on(of.path, service(of, 120))
    const { items, complete } = await everything(bench, of.walk)
    expect([items.length, new Set(items.map((each) => JSON.stringify(each))).size, complete]).toEqual([120, 120, true])
    expect(asked(bench, of.path).map((each) => each.pageNumber)).toEqual([1, 2, 3])
  })

  test('takes nulls and absent keys alike, and says where something is of the wrong kind', async () => {
    await using bench = await openBench()
    const nothing = Object.fromEntries(Object.keys(of.item).map((key) => [key, null]))
    const [key = ''] = Object.keys(of.item)
    bench.server.on(of.path, envelope(inHolder([nothing, {}], of.holder), { filteredRecords: 2 }))
    const { items } = await everything(bench, of.walk)
    expect(items[0]).toEqual(items[1])
    bench.server.on(of.path, envelope(inHolder([{ [key]: { secret: 'hunter2' } }], of.holder)))
    const error = await everything(bench, of.walk).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WireError)
    expect(String(error)).toContain(key)
    expect(String(error)).not.toContain('hunter2')
  })
})

describe('the list of certification bodies', () => {
  const path = '/certification-body/list'
  const bodies = [{ certification_uuid: 'u', user_name: 'Body', more: 1 }]
  const read = [{ certification_uuid: 'u', user_name: 'Body' }]

  test('is one GET without a body, and whole without a pager', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope(bodies))
    expect(await everything(bench, (issuer) => issuer.listCertificationBodies())).toEqual({
      items: read,
      complete: true,
    })
    expect(bench.server.requests(path)).toMatchObject([{ method: 'GET', body: '' }])
  })

  test('is told as a part when its pager promises more', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope(bodies, { filteredRecords: 12 }))
    expect(await everything(bench, (issuer) => issuer.listCertificationBodies())).toEqual({
      items: read,
      complete: false,
    })
    expect(bench.server.requests(path)).toHaveLength(1)
  })
})

test('a list that knows no pages, and comes whole each time, is given once and is complete', async () => {
  await using bench = await openBench()
  const { path, walk, item } = cases.categories as Case
  const labels = ['en', 'de'].map((code) => ({ ...item, code }))
  bench.server.on(path, envelope({ data: labels }))
  expect(await everything(bench, walk)).toEqual({ items: labels, complete: true })
  expect(bench.server.requests(path)).toHaveLength(2)
})

test('rows that a later page shows again are given once', async () => {
  await using bench = await openBench()
  const { path, walk } = cases.languages as Case
  const page = (...names: string[]) =>
    envelope({ data: names.map((language_uuid) => ({ language_uuid, name: 'x' })) }, { filteredRecords: 3 })
  bench.server.on(path, page('a', 'b'), page('b', 'c'))
  const { items, complete } = await everything(bench, walk)
  expect([items.map((each) => (each as { language_uuid: string }).language_uuid), complete]).toEqual([
    ['a', 'b', 'c'],
    true,
  ])
})

test('each list has a gate of its own, by which a 429 is kept', async () => {
  await using bench = await openBench()
  const sponsors = cases.sponsors as Case
  bench.server.on(
    sponsors.path,
    json(429, {}, { 'retry-after': '3' }),
    envelope({ sponsors: [] }, { filteredRecords: 0 }),
  )
  await everything(bench, sponsors.walk)
  expect(bench.gates['sponsor-list']?.pauses).toEqual([3_000])
  expect(bench.gates['sponsor-list']?.passes).toBe(2)
  expect(bench.issuer.counts()).toMatchObject({ 'sponsor-list': 2, 'signature-list': 0 })
})
