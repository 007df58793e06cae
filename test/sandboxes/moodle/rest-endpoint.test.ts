// Tests behavior of the REST endpoint that no single capture shows: formats, paths, arguments, and what an account may
// see.

import { describe, expect, test } from 'vitest'
import { openLab } from './captured-site.ts'

const siteInfo = { wsfunction: 'core_webservice_get_site_info', moodlewsrestformat: 'json' }

describe('the REST endpoint', () => {
  test('answers errors with 200 and JSON (1.2)', async () => {
    const { send } = await openLab()
    const answer = await send({ ...siteInfo, wstoken: 'wrong' })
    expect(answer).toMatchObject({ status: 200, contentType: 'application/json' })
  })

  test('escapes slashes and other characters in JSON as PHP does (01)', async () => {
    const { send, sandbox } = await openLab()
    const form = { wstoken: sandbox.token, moodlewsrestformat: 'json', field: 'idnumber', value: 'CRS-FOOD-201' }
    const { text } = await send({ ...form, wsfunction: 'core_course_get_courses_by_field' })
    expect(text).toContain('"fullname":"Food hygiene level 2 \\u2013 M\\u00fcller &amp; S\\u00f8n"')
    expect(text).toContain('http:\\/\\/127.0.0.1')
  })

  test('answers 404 with a page on any other path (1.2)', async () => {
    const { sandbox } = await openLab()
    const answer = await fetch(`${sandbox.url}/webservice/rest/serve.php`, { method: 'POST' })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('answers 503 with a page in maintenance mode, on every path (35)', async () => {
    const { sandbox, send } = await openLab()
    sandbox.maintenance(true)
    const answer = await send({ ...siteInfo, wstoken: sandbox.token })
    expect(answer).toMatchObject({ status: 503, contentType: 'text/html; charset=utf-8' })
    expect(answer.text).toContain('<h1>Lab College under maintenance</h1>')
    expect(answer.text).toContain('The site is undergoing maintenance and is currently not available')
    expect((await fetch(`${sandbox.url}/mod/lti/token.php`, { method: 'POST' })).status).toBe(503)
    sandbox.maintenance(false)
    expect((await send({ ...siteInfo, wstoken: sandbox.token })).status).toBe(200)
  })

  test('also takes its arguments from the address, as PHP does', async () => {
    const { sandbox } = await openLab()
    const query = new URLSearchParams({ ...siteInfo, wstoken: sandbox.token })
    const answer = await fetch(`${sandbox.url}/webservice/rest/server.php?${query}`)
    expect(await answer.json()).toHaveProperty('userid', 7)
  })

  test.each([
    ['an unexpected argument', { courseid: '2', userid: '3', user: '3' }],
    ['a missing argument', { courseid: '2' }],
    ['a list for a number', { 'courseid[0]': '2', userid: '3' }],
  ])('answers invalidparameter to %s', async (_what, form) => {
    const { call } = await openLab()
    const answer = await call('core_completion_get_course_completion_status', form as Record<string, string>)
    expect(answer).toHaveProperty('errorcode', 'invalidparameter')
  })

  test('answers nocriteriaset for a course without criteria (1.2)', async () => {
    const { call, sandbox, ada } = await openLab()
    const bare = sandbox.addCourse({ idnumber: 'X', shortname: 'X', fullname: 'X', criteria: [] })
    sandbox.enroll(ada, bare.id)
    const form = { courseid: String(bare.id), userid: String(ada) }
    const answer = await call('core_completion_get_course_completion_status', form)
    expect(answer).toHaveProperty('errorcode', 'nocriteriaset')
    await sandbox.complete(ada, bare.id)
    await sandbox.cron()
    const report = await call('core_reportbuilder_retrieve_report', { reportid: '1', perpage: '99' })
    expect(JSON.stringify(report)).not.toContain('"Yes"')
  })

  test('returns the functions of the service and the account’s language in the site info', async () => {
    const { call } = await openLab({ functions: ['core_webservice_get_site_info'], language: 'de' })
    expect(await call('core_webservice_get_site_info')).toMatchObject({
      sitename: 'Lab College',
      lang: 'de',
      release: '4.5.6 (Build: 20250811)',
      functions: [{ name: 'core_webservice_get_site_info' }],
    })
  })

  test('writes a journal of function names and error codes, without tokens or people', async () => {
    const { call, sandbox } = await openLab()
    await call('core_user_get_users_by_field', { field: 'email', 'values[0]': 'ada@learners.example' })
    await call('made_up', { wstoken: 'a-wrong-token' })
    expect(sandbox.journal()).toMatchObject([
      { kind: 'answered', what: 'core_user_get_users_by_field', status: 200, errorcode: null },
      { kind: 'answered', what: 'unknown', status: 200, errorcode: 'invalidtoken' },
    ])
    expect(JSON.stringify(sandbox.journal())).not.toMatch(/ada|made_up|wrong-token|sandbox-moodle/)
  })
})

describe('learners', () => {
  test.each([
    ['the right case', 'email', 'ada@learners.example', ['ada']],
    ['another case', 'email', 'ADA@learners.example', []],
    ['an empty value', 'idnumber', '', []],
    ['a user name', 'username', 'noid', ['noid']],
  ])('are found by %s, or not (1.1)', async (_what, field, value, usernames) => {
    const { call } = await openLab()
    const found = await call('core_user_get_users_by_field', { field, 'values[0]': value })
    expect(found).toEqual(usernames.map((username) => expect.objectContaining({ username })))
  })

  test('are listed with their courses and roles, reduced to the requested fields (1.1)', async () => {
    const { call, ada } = await openLab()
    const all = await call('core_enrol_get_enrolled_users', { courseid: '2' })
    expect(all).toHaveLength(4)
    expect(all).toContainEqual(
      expect.objectContaining({
        id: ada,
        username: 'ada',
        idnumber: 'E-1001',
        roles: [{ roleid: 5, name: '', shortname: 'student', sortorder: 0 }],
        enrolledcourses: [
          { id: 2, fullname: 'Fire safety basics', shortname: 'FIRE101' },
          { id: 3, fullname: 'Food hygiene level 2 – Müller &amp; Søn', shortname: 'FOOD201' },
        ],
      }),
    )
    const options = { 'options[0][name]': 'userfields', 'options[0][value]': 'idnumber' }
    const few = await call('core_enrol_get_enrolled_users', { courseid: '3', ...options })
    expect(few).toContainEqual({ id: ada, fullname: 'Ada Lovelace', idnumber: 'E-1001' })
  })

  test('are listed by active enrollment to an account that may review them', async () => {
    const { call } = await openLab({ reviewsEnrollments: true })
    const options = { 'options[0][name]': 'onlyactive', 'options[0][value]': '1' }
    expect(await call('core_enrol_get_enrolled_users', { courseid: '3', ...options })).toHaveLength(3)
  })
})

describe('the report', () => {
  test('uses the language of the account (1.1)', async () => {
    const { call, sandbox, ada, fire } = await openLab({ language: 'de' })
    await sandbox.complete(ada, fire.id, new Date('2026-11-05T23:30:00Z'))
    expect(await call('core_reportbuilder_retrieve_report', { reportid: '1' })).toMatchObject({
      data: {
        headers: expect.arrayContaining(['Abgeschlossen']),
        rows: expect.arrayContaining([
          { columns: expect.arrayContaining(['E-1001', 'Ja', 'Donnerstag, 5. November 2026, 23:30']) },
        ]),
      },
    })
  })

  test('comes in pages, of ten rows by default', async () => {
    const { call } = await openLab()
    const page = async (form: Record<string, string>) =>
      (await call('core_reportbuilder_retrieve_report', { reportid: '1', ...form })) as {
        data: { rows: unknown[]; totalrowcount: number }
      }
    expect((await page({})).data).toMatchObject({ rows: { length: 10 }, totalrowcount: 11 })
    expect((await page({ page: '1' })).data.rows).toHaveLength(1)
    expect((await page({ page: '3', perpage: '3' })).data.rows).toHaveLength(2)
  })
})
