// Tests the reference lists: their items, pages, order and search.

import { describe, expect, test } from 'vitest'
import { visitSandbox } from '#test/sandboxes/service/visitor.ts'

const institute = '/api/institute/v1'
const certification = '/api/certification/v1'
const uncounted = { limits: { general: 1_000, auth: 1_000 } }

interface ListCase {
  path: string
  key: string
  /** Documented fields of an item. */
  fields: string[]
  least: number
  /** A search, and the number of its results. */
  search: [Record<string, string>, number]
}

const lists: ListCase[] = [
  {
    path: `${institute}/course/currency/list`,
    key: 'data',
    fields: ['currency_uuid', 'name', 'code', 'symbol', 'default'],
    least: 5,
    search: [{ code: 'eur' }, 1],
  },
  {
    path: `${institute}/course/language/list`,
    key: 'data',
    fields: ['language_uuid', 'name'],
    least: 11,
    search: [{ name: 'ger' }, 1],
  },
  {
    path: `${institute}/course/template/list`,
    key: 'data',
    fields: [
      ...['template_uuid', 'template_name', 'description', 'html_code', 'institute_id', 'is_active', 'created_at'],
    ],
    least: 12,
    search: [{ template_name: 'trades' }, 2],
  },
  {
    path: `${institute}/course/category/list`,
    key: 'data',
    fields: ['category_uuid', 'course_category', 'code', 'label'],
    least: 11,
    search: [{ code: 'de', course_category: 'it' }, 1],
  },
  {
    path: `${institute}/course/format/list`,
    key: 'data',
    fields: ['course_format_uuid', 'name', 'preferredLabels'],
    least: 4,
    search: [{ name: 'self' }, 1],
  },
  {
    path: `${institute}/module/list`,
    key: 'data',
    fields: ['name', 'module_uuid', 'is_active', 'code', 'max_marks', 'moduleType'],
    least: 11,
    search: [{ name: 'welding' }, 2],
  },
  {
    path: `${certification}/template/sponsor/list`,
    key: 'sponsors',
    fields: ['uuid', 'sponsor_name'],
    least: 11,
    search: [{ sponsor_name: 'network' }, 2],
  },
  {
    path: `${certification}/template/signature/list`,
    key: 'digitalSignatures',
    fields: ['uuid', 'member_name', 'designation'],
    least: 11,
    search: [{ designation_name: 'registrar' }, 2],
  },
]

describe.each(lists)('the list at $path', ({ path, key, fields, least, search: [search, matches] }) => {
  test('has items with exactly the documented fields, the first ten by default', async () => {
    const { post } = await visitSandbox(uncounted)
    const { http, payload, pager } = await post(path, {})
    expect(http).toBe(200)
    expect(pager.totalRecords).toBeGreaterThanOrEqual(least)
    expect(payload[key]).toHaveLength(Math.min(10, pager.totalRecords))
    for (const item of payload[key]) expect(Object.keys(item)).toEqual(fields)
  })

  test('shows each item once across its pages, in either order', async () => {
    const { post } = await visitSandbox(uncounted)
    const texts: Record<string, string[]> = { asc: [], DESC: [] }
    for (const [sortOrder, seen] of Object.entries(texts)) {
      for (let pageNumber = 1; ; pageNumber++) {
        const { payload } = await post(path, { pageNumber, recordsPerPage: 3, sortOrder })
        if (payload[key].length === 0) break
        seen.push(...payload[key].map((item: object) => JSON.stringify(item)))
      }
    }
    expect(texts.asc?.length).toBeGreaterThanOrEqual(least)
    expect(new Set(texts.asc).size).toBe(texts.asc?.length)
    expect(texts.DESC?.toReversed()).toEqual(texts.asc)
  })

  test('finds by part of the text, in either spelling of the search, and refuses an unknown key', async () => {
    const { post } = await visitSandbox(uncounted)
    for (const spelling of ['search', '_search']) {
      const { payload, pager } = await post(path, { [spelling]: JSON.stringify(search) })
      expect(payload[key]).toHaveLength(matches)
      expect(pager.filteredRecords).toBe(matches)
    }
    expect((await post(path, { search: '{"shoe_size":"42"}' })).http).toBe(400)
  })
})

describe('sponsors and signatures', () => {
  test.each([
    ['sponsor', 'sponsors'],
    ['signature', 'digitalSignatures'],
  ])('are only those of a certification body if one is given (%s)', async (name, key) => {
    const { post, get } = await visitSandbox(uncounted)
    const path = `${certification}/template/${name}/list`
    const bodies = (await get(`${institute}/institute/certification-body/list`)).payload
    const all = (await post(path, { recordsPerPage: 100 })).payload[key].length
    let sum = 0
    for (const { certification_uuid } of bodies) {
      const { payload, pager } = await post(path, { certification_uuid })
      expect(payload[key].length).toBeGreaterThan(0)
      expect(pager.totalRecords).toBe(payload[key].length)
      sum += payload[key].length
    }
    expect(sum).toBe(all)
    expect((await post(path, { certification_uuid: 'nobody' })).http).toBe(404)
  })

  test('have a pager with sortField, and its order in upper case', async () => {
    const { post } = await visitSandbox(uncounted)
    const { pager } = await post(`${certification}/template/signature/list`, { sortOrder: 'DESC' })
    expect(pager).toMatchObject({ sortField: 'member_name', sortOrder: 'DESC' })
    expect(pager).not.toHaveProperty('sortBy')
    // A request may also use the name sortField, so an unknown field under that name is refused.
    expect((await post(`${certification}/template/signature/list`, { sortField: 'shoe_size' })).http).toBe(400)
  })
})

describe('the bare arrays', () => {
  test('are all certification bodies, without a pager', async () => {
    const { get } = await visitSandbox(uncounted)
    const { payload, pager } = await get(`${institute}/institute/certification-body/list`)
    expect(payload.length).toBeGreaterThan(2)
    for (const item of payload) expect(Object.keys(item)).toEqual(['certification_uuid', 'user_name'])
    expect(pager).toEqual({})
  })

  test('are the active mail templates of a course, by either spelling of its uuid', async () => {
    const { post, course } = await visitSandbox(uncounted)
    const path = `${certification}/customMailTemplate/list`
    const { payload, pager } = await post(path, { courseUUID: course.uuid })
    expect((await post(path, { course_uuid: course.uuid })).payload).toEqual(payload)
    expect(Object.keys(payload[0])).toEqual([
      ...['custom_email_template_uuid', 'custom_email_template_name', 'is_active', 'language_code'],
    ])
    expect(payload.map((each: { is_active: number }) => each.is_active)).toEqual(payload.map(() => 1))
    expect(pager).toMatchObject({ pageNumber: 1, totalRecords: payload.length })
    expect((await post(path, { course_uuid: 'nowhere' })).http).toBe(404)
    expect((await post(path, {})).http).toBe(400)
  })
})

test('a category has one line for each of its two languages', async () => {
  const { post } = await visitSandbox(uncounted)
  const search = JSON.stringify({ course_category: 'Trades' })
  const { payload } = await post(`${institute}/course/category/list`, { search, sortBy: 'code' })
  expect(payload.data).toMatchObject([
    { code: 'de', label: 'Handwerk' },
    { code: 'en', label: 'Trades' },
  ])
  expect(payload.data[0].category_uuid).toBe(payload.data[1].category_uuid)
})
