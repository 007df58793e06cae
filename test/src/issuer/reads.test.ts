// Reads from the service: retries and errors, courses by uuid or number, and the fields of a course.

import { describe, expect, test } from 'vitest'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { WireError } from '#src/issuer/read-shape.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { cutInBody, envelope, json, raw, resetBeforeAnswer } from '#test/support/scripted-server.ts'
import { openBench } from './client-bench.ts'

const detail = '/course/detail'
const course = envelope({
  data: { course_uuid: 'c', course_name: 'Welding', is_active: '1', approval_status_id: 2, odd: [1] },
})

describe('a read', () => {
  test('is retried after temporary faults, with increasing waits', async () => {
    await using bench = await openBench()
    bench.server.on(detail, resetBeforeAnswer, raw(502, '<html>'), cutInBody, raw(200, '{"status":2'), course)
    expect((await bench.issuer.courseDetail('c')).course_name).toBe('Welding')
    expect(bench.waits).toEqual([500, 1_000, 2_000, 4_000])
  })

  test('gives up after five attempts and reports the last fault', async () => {
    await using bench = await openBench()
    bench.server.on(detail, raw(503, ''))
    const error = await bench.issuer.courseDetail('c').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceUnreachableError)
    expect(error).toMatchObject({ endpoint: 'course-detail', lastResult: 'HTTP 503' })
    expect(bench.server.requests(detail)).toHaveLength(5)
  })

  test('that is throttled pauses its gate and adds no other wait', async () => {
    await using bench = await openBench()
    bench.server.on(detail, raw(429, '', { 'retry-after': '4' }), course)
    await bench.issuer.courseDetail('c')
    expect(bench.gates['course-detail']?.pauses).toEqual([4_000])
    expect(bench.waits).toEqual([])
  })

  test.each([
    ['404', json(404, { status: 404, message: 'No course for jo@x.example' }), 404],
    ['an envelope that says 404', json(200, { status: 404, message: 'No course for jo@x.example', payload: {} }), 404],
    ['a redirect', raw(302, '', { location: '/login' }), 302],
  ])('is not retried after %s', async (_what, script, status) => {
    await using bench = await openBench()
    bench.server.on(detail, script)
    const error = await bench.issuer.courseDetail('c').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceRefusedError)
    expect(error).toMatchObject({ status, endpoint: 'course-detail' })
    expect(String(error)).not.toContain('jo@x')
    expect(bench.server.requests(detail)).toHaveLength(1)
  })

  test('fails if the answer contains a different course from the one requested', async () => {
    await using bench = await openBench()
    bench.server.on(detail, envelope({ data: { course_uuid: 'D', course_name: 'Brazing' } }))
    await expect(bench.issuer.courseDetail('c')).rejects.toThrow(
      /course_uuid \(a different course from the one requested\)/,
    )
    bench.server.on(detail, envelope({ data: { course_uuid: 'C', course_name: 'Welding' } }))
    expect((await bench.issuer.courseDetail('c')).course_name).toBe('Welding')
  })

  test('reports the path but not the value if the answer has the wrong shape', async () => {
    await using bench = await openBench()
    bench.server.on(detail, envelope({ data: { course_name: { first: 'hunter2' } } }))
    const error = await bench.issuer.courseDetail('c').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WireError)
    expect(error).toMatchObject({ endpoint: 'course-detail', path: 'payload.data.course_name' })
    expect(String(error)).not.toContain('hunter2')
  })

  test('reports an HTML page with status 200 if it persists', async () => {
    await using bench = await openBench()
    bench.server.on(detail, raw(200, '<html>login</html>'))
    await expect(bench.issuer.courseDetail('c')).rejects.toThrow(/whole answer.*not JSON/)
  })
})

describe('courses', () => {
  test('are requested in detail with both spellings of the uuid, and unknown keys are dropped', async () => {
    await using bench = await openBench()
    bench.server.on(detail, course)
    const found = await bench.issuer.courseDetail('c')
    expect(JSON.parse(bench.server.requests(detail)[0]?.body ?? '')).toEqual({ course_uuid: 'c', courseUUID: 'c' })
    expect(found).toMatchObject({ is_active: 1, approval_status_id: 2, templateDetails: [] })
    expect(found.price).toBeUndefined()
    expect(found).not.toHaveProperty('odd')
  })

  test('are found by their exact number, first by a search and then by reading all courses', async () => {
    await using bench = await openBench()
    bench.server.on('/course/list', (seen, ...rest) => {
      const { search, pageNumber } = JSON.parse(seen.body)
      const numbers = search ? ['WELD-10'] : [['A'], ['B'], ['WELD-1']][pageNumber - 1]
      const data = numbers?.map((course_number) => ({ course_number, course_uuid: `uuid of ${course_number}` }))
      envelope({ data }, { filteredRecords: search ? 1 : 3, totalRecords: 3 })(seen, ...rest)
    })
    expect((await bench.issuer.findCourseByNumber(' WELD-1 '))?.course_uuid).toBe('uuid of WELD-1')
    expect(await bench.issuer.findCourseByNumber('WELD')).toBeNull()
    const [first] = bench.server.requests('/course/list').map((request) => JSON.parse(request.body))
    expect(first.search).toBe('{"course_number":"WELD-1"}')
    expect(first._search).toBe(first.search)
  })
})

describe('a course by its number', () => {
  const list = '/course/list'
  test('is found although the service does not support the search', async () => {
    await using bench = await openBench()
    const all = envelope({ data: [{ course_number: 'W', course_uuid: 'c' }] }, { filteredRecords: 1 })
    bench.server.on(list, json(400, { status: 400, message: 'unknown key' }), all)
    expect((await bench.issuer.findCourseByNumber('W'))?.course_uuid).toBe('c')
  })

  test('is not reported as missing if the list is refused', async () => {
    await using bench = await openBench()
    bench.server.on(list, json(403, { status: 403, message: 'no' }))
    await expect(bench.issuer.findCourseByNumber('W')).rejects.toThrow(ServiceRefusedError)
  })
})

describe('fieldList', () => {
  test('returns the fields in order, with the options of a drop-down if the service lists them', async () => {
    await using bench = await openBench()
    const Email = {
      name: 'email_',
      display_name: 'Email',
      type: 'string',
      input_type: 'text',
      required: true,
      unique: 1,
    }
    bench.server.on(
      '/fieldList/a%2Fb',
      envelope({
        Email: { ...Email, regex: '^.+$', sample_value: 'a@b.c', max_length: '128' },
        Salutation: {
          name: 's',
          input_type: 'drop-down',
          required: 'false',
          unique: '',
          options: ['Ms', { value: 'Mr' }, {}],
        },
        'Birth Date': { name: 'birth_date', input_type: 'date-picker', min: '1900-01-01', max: 0 },
      }),
    )
    const rest = {
      type: '',
      required: false,
      unique: false,
      regex: '',
      sampleValue: '',
      maxLength: null,
      min: null,
      max: null,
    }
    expect(await bench.issuer.fieldList('a/b')).toEqual([
      {
        name: 'email_',
        displayName: 'Email',
        type: 'string',
        inputType: 'text',
        required: true,
        unique: true,
        regex: '^.+$',
        sampleValue: 'a@b.c',
        maxLength: 128,
        min: null,
        max: null,
        options: [],
      },
      { ...rest, name: 's', displayName: 'Salutation', inputType: 'drop-down', options: ['Ms', 'Mr'] },
      {
        ...rest,
        name: 'birth_date',
        displayName: 'Birth Date',
        inputType: 'date-picker',
        min: '1900-01-01',
        max: 0,
        options: [],
      },
    ])
  })
})
