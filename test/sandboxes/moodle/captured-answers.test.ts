// Compares each answer with that of a real Moodle 4.5.6, field by field. The numbers in the titles are those of the
// captures in test/support/moodle-captures.

import { describe, expect, test } from 'vitest'
import { adaCompleted, captured, openLab, sorenCompleted } from './captured-site.ts'

describe('the sandbox answers like the captured site', () => {
  test('a course by its ID number, without one and escaped (01)', async () => {
    const { call, sandbox } = await openLab()
    const wanted = { field: 'idnumber', value: 'CRS-FOOD-201' }
    expect(await call('core_course_get_courses_by_field', wanted)).toEqual(captured('01-courses_by_field', sandbox.url))
  })

  test('a course with raw texts (01b)', async () => {
    const { call, sandbox } = await openLab()
    const wanted = { field: 'idnumber', value: 'CRS-FOOD-201', moodlewssettingraw: '1' }
    const real = captured('01b-courses_by_field_raw', sandbox.url)
    expect(await call('core_course_get_courses_by_field', wanted)).toEqual(real)
  })

  test('enrollments, for an account that may not review them (02)', async () => {
    const { call, sandbox } = await openLab()
    const wanted = { courseid: '2', 'options[0][name]': 'onlyactive', 'options[0][value]': '1' }
    expect(await call('core_enrol_get_enrolled_users', wanted)).toEqual(captured('02-enrolled_users', sandbox.url))
  })

  test('a completion before, after and after unticking (03 to 06)', async () => {
    const { call, sandbox, ada, soren, fire } = await openLab()
    const status = (userid: number) =>
      call('core_completion_get_course_completion_status', { courseid: String(fire.id), userid: String(userid) })
    expect(await status(ada)).toEqual(captured('03-completion_status_before', sandbox.url))
    await sandbox.complete(ada, fire.id, adaCompleted)
    expect(await status(ada)).toEqual(captured('05-completion_status_after_cron1', sandbox.url))
    await sandbox.complete(soren, fire.id, sorenCompleted)
    await sandbox.untick(soren, fire.id, fire.criteria[0] ?? 0)
    expect(await status(soren)).toEqual(captured('06-completion_after_unticking', sandbox.url))
  })

  test('profile fields, written and read back (20 and 21)', async () => {
    const { call, sandbox } = await openLab()
    sandbox.addProfileField({ shortname: 'credstatus', name: 'Credential status' })
    sandbox.addProfileField({ shortname: 'credurl', name: 'Credential link' })
    sandbox.addProfileField({ shortname: 'credid', name: 'Credential id' })
    const written = {
      'users[0][id]': '3',
      'users[0][customfields][0][type]': 'credstatus',
      'users[0][customfields][0][value]': 'issued',
      'users[0][customfields][1][type]': 'credurl',
      'users[0][customfields][1][value]': 'https://verify.example/c/0b7e3f1c?a=1&b=2',
      'users[0][customfields][2][type]': 'credid',
      'users[0][customfields][2][value]': 'urn:uuid:0b7e3f1c-1d7e-4a55-9a1a-1f0f2c3d4e5f',
    }
    expect(await call('core_user_update_users', written)).toEqual(captured('20-update_users', sandbox.url))
    const found = await call('core_user_get_users_by_field', { field: 'idnumber', 'values[0]': 'E-1001' })
    expect(found).toEqual(captured('21-get_users_by_field_after', sandbox.url))
  })

  test('users that cannot be updated (22 to 24)', async () => {
    const { call, sandbox } = await openLab()
    const update = (id: number) =>
      call('core_user_update_users', {
        'users[0][id]': String(id),
        'users[0][customfields][0][type]': 'nosuchfield',
        'users[0][customfields][0][value]': 'x',
      })
    expect(await update(3)).toEqual(captured('22-update_users_unknown_field', sandbox.url))
    expect(await update(99999)).toEqual(captured('23-update_users_unknown_user', sandbox.url))
    expect(await update(2)).toEqual(captured('24-update_users_admin_user', sandbox.url))
  })

  test('the errors of calls (30 to 34 and 37)', async () => {
    const { call, sandbox, ada, fire } = await openLab({ functions: ['core_completion_get_course_completion_status'] })
    const status = 'core_completion_get_course_completion_status'
    expect(await call(status, { wstoken: 'wrong' })).toEqual(captured('30-invalidtoken', sandbox.url))
    expect(await call('core_user_update_users')).toEqual(captured('31-function-not-in-service', sandbox.url))
    const noCourse = await call(status, { courseid: '999', userid: '3' })
    expect(noCourse).toEqual(captured('32-no-such-course', sandbox.url))
    const stranger = sandbox.addLearner({ firstname: 'A', lastname: 'B', email: 'a@b.example' })
    const notThere = await call(status, { courseid: '2', userid: String(stranger.id) })
    expect(notThere).toEqual(captured('33-user-not-enrolled', sandbox.url))
    const noNumber = await call(status, { courseid: 'abc', userid: '3' })
    expect(noNumber).toEqual(captured('34-invalid-param', sandbox.url))
    await sandbox.complete(ada, fire.id)
    sandbox.unenroll(ada, fire.id)
    const gone = await call(status, { courseid: '2', userid: String(ada) })
    expect(gone).toEqual(captured('37-unenrolled-after-completion', sandbox.url))
  })

  test('an unavailable database (36)', async () => {
    const { call, sandbox } = await openLab()
    sandbox.databaseDown(true)
    expect(await call('core_webservice_get_site_info')).toEqual(captured('36-db-down', sandbox.url))
    sandbox.databaseDown(false)
    expect(await call('core_webservice_get_site_info')).toHaveProperty('sitename', 'Lab College')
  })

  test('grades, their comments, and the feedback that is dropped (40 to 43b)', async () => {
    const { call, sandbox, fire } = await openLab({}, new Date(1795219478_000))
    expect(await call('mod_assign_save_grade', comment)).toEqual(captured('40-assign_save_grade', sandbox.url))
    const grades = await call('mod_assign_get_grades', { 'assignmentids[0]': '1' })
    expect(grades).toEqual(captured('41-assign_get_grades', sandbox.url))
    const column = { ...gradeOnly, activityid: String(fire.assignment?.cmid) }
    expect(await call('core_grades_update_grades', column)).toEqual(captured('42-update_grades', sandbox.url))
    const items = (userid: string) => call('gradereport_user_get_grade_items', { courseid: '2', userid })
    expect(await items('4')).toEqual(captured('43-grade_items', sandbox.url))
    expect(await items('3')).toEqual(captured('43b-grade_items_ada', sandbox.url))
    const after = await call('mod_assign_get_grades', { 'assignmentids[0]': '1' })
    expect(after).toEqual(captured('41-assign_get_grades', sandbox.url))
  })

  test('the report of all learners, in any row order (45)', async () => {
    const { call, sandbox, ada, soren, fire } = await openLab()
    await sandbox.complete(ada, fire.id, adaCompleted)
    await sandbox.complete(soren, fire.id, sorenCompleted)
    for (const userid of ['3', '4']) await call('mod_assign_save_grade', { ...comment, userid })
    const answer = await call('core_reportbuilder_retrieve_report', { reportid: '1', perpage: '100' })
    expect(inOrder(answer)).toEqual(inOrder(captured('45-retrieve_report', sandbox.url)))
  })
})

const comment = {
  assignmentid: '1',
  userid: '3',
  grade: '100',
  attemptnumber: '-1',
  addattempt: '0',
  workflowstate: '',
  applytoall: '0',
  'plugindata[assignfeedbackcomments_editor][text]':
    '<p>Credential issued: <a href="https://verify.example/c/0b7e3f1c?a=1&amp;b=2">verify</a></p>',
  'plugindata[assignfeedbackcomments_editor][format]': '1',
}

const gradeOnly = {
  source: 'credentials',
  courseid: '2',
  component: 'mod_assign',
  itemnumber: '0',
  'grades[0][studentid]': '4',
  'grades[0][grade]': '100',
  'grades[0][str_feedback]': 'https://verify.example/c/1',
}

function inOrder(answer: unknown): unknown {
  const report = answer as { data: { rows: { columns: string[] }[] } }
  const rows = report.data.rows.map(({ columns }) => columns.join('\t')).sort()
  return { ...report, data: { ...report.data, rows } }
}
