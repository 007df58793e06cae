// Writes profile fields, grades and comments, and relies only on the values that are read back.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { moodleHtml } from '#src/extensions/lms/moodle/html.ts'
import { moodleCapture } from '#test/support/moodle-captures.ts'
import { json } from '#test/support/scripted-server.ts'
import { exception, openScriptedMoodle, recorded, type ScriptedMoodle } from './scripted-moodle.ts'

const findUsers = 'core_user_get_users_by_field'
const updateUsers = 'core_user_update_users'
const gradeItems = 'gradereport_user_get_grade_items'
const getGrades = 'mod_assign_get_grades'
const saveGrade = 'mod_assign_save_grade'

let site: ScriptedMoodle
beforeEach(async () => {
  site = await openScriptedMoodle()
})
afterEach(() => site.close())

describe('profile fields', () => {
  const values = {
    credstatus: 'issued',
    credurl: 'https://verify.example/c/0b7e3f1c?a=1&b=2',
    credid: 'urn:uuid:0b7e3f1c-1d7e-4a55-9a1a-1f0f2c3d4e5f',
  }
  const [ada] = JSON.parse(moodleCapture('21-get_users_by_field_after'))
  const withFields = (fields: Record<string, string>) =>
    json(200, [
      {
        ...ada,
        customfields: Object.entries(fields).map(([shortname, value]) => ({ type: 'text', shortname, value })),
      },
    ])

  test('are read by short name', async () => {
    site.on(findUsers, recorded('21-get_users_by_field_after'))
    expect(Object.fromEntries((await site.moodle.readProfile(3)) ?? [])).toEqual(values)
    expect(Object.fromEntries(site.forms(findUsers)[0] ?? [])).toMatchObject({ field: 'id', 'values[0]': '3' })
  })

  test('are null for an unknown user', async () => {
    site.on(findUsers, json(200, []))
    expect(await site.moodle.readProfile(99999)).toBeNull()
  })

  test('are written by short name and verified by reading them back', async () => {
    site.on(findUsers, withFields({}), recorded('21-get_users_by_field_after'))
    site.on(updateUsers, recorded('20-update_users'))
    expect(await site.moodle.writeProfile(3, values)).toEqual({ kind: 'verified' })
    expect(site.calledFunctions()).toEqual([findUsers, updateUsers, findUsers])
    expect(Object.fromEntries(site.forms(updateUsers)[0] ?? [])).toMatchObject({
      'users[0][id]': '3',
      'users[0][customfields][0][type]': 'credstatus',
      'users[0][customfields][0][value]': 'issued',
      'users[0][customfields][1][type]': 'credurl',
      'users[0][customfields][1][value]': 'https://verify.example/c/0b7e3f1c?a=1&b=2',
    })
  })

  test('that already have the values are not written again', async () => {
    site.on(findUsers, recorded('21-get_users_by_field_after'))
    expect(await site.moodle.writeProfile(3, values)).toEqual({ kind: 'verified' })
    expect(site.calledFunctions()).toEqual([findUsers])
  })

  test('are written only where they differ', async () => {
    site.on(findUsers, withFields({ ...values, credstatus: 'requested' }), recorded('21-get_users_by_field_after'))
    site.on(updateUsers, recorded('20-update_users'))
    await site.moodle.writeProfile(3, values)
    const form = site.forms(updateUsers)[0]
    expect(form?.get('users[0][customfields][0][type]')).toBe('credstatus')
    expect(form?.has('users[0][customfields][1][type]')).toBe(false)
  })

  test('that do not exist are detected only by reading back: Moodle responds as if they were written', async () => {
    site.on(findUsers, recorded('21-get_users_by_field_after'))
    site.on(updateUsers, recorded('22-update_users_unknown_field'))
    const written = await site.moodle.writeProfile(3, { ...values, renamed: 'x' })
    expect(written).toEqual({ kind: 'differs', fields: ['renamed'] })
  })

  test('that were truncated differ', async () => {
    site.on(findUsers, withFields({}), withFields({ ...values, credurl: 'https://verify.example/c' }))
    site.on(updateUsers, recorded('20-update_users'))
    expect(await site.moodle.writeProfile(3, values)).toEqual({ kind: 'differs', fields: ['credurl'] })
  })

  test('that are shown with entities are equal', async () => {
    site.on(findUsers, withFields({ credurl: 'https://verify.example/c/0b7e3f1c?a=1&amp;b=2' }))
    expect(await site.moodle.writeProfile(3, { credurl: values.credurl })).toEqual({ kind: 'verified' })
  })

  test.each([
    ['an unknown account', 99999, '23-update_users_unknown_user', 'invaliduserid'],
    ['an administrator', 2, '24-update_users_admin_user', 'usernotupdatedadmin'],
    ['a deleted account', 88888, '25-update_users_batch_one_bad', 'invaliduserid'],
  ])('are refused for %s', async (_who, userId, answer, warningcode) => {
    site.on(findUsers, json(200, []))
    site.on(updateUsers, recorded(answer))
    expect(await site.moodle.writeProfile(userId, values)).toEqual({ kind: 'refused', warningcode })
    expect(site.calledFunctions()).toEqual([findUsers, updateUsers])
  })

  test('of an account that may not see them are not compared: the error says which capabilities are missing', async () => {
    const hidden = json(200, [{ id: 3, customfields: [] }])
    site.on(findUsers, withFields({}), hidden)
    site.on(updateUsers, recorded('20-update_users'))
    await expect(site.moodle.writeProfile(3, values)).rejects.toMatchObject({
      ...{ name: 'MoodleRefusedError', errorcode: 'notshown', failure: { isOfCourse: true } },
    })
    // The learner is gone, and the third request is for the accounts that every Moodle has.
    site.on(findUsers, json(200, []), json(200, []), json(200, []))
    await expect(site.moodle.writeProfile(3, values)).rejects.toMatchObject({ errorcode: 'notshown' })
    site.on(findUsers, json(200, []), json(200, []), json(200, [{ id: 1 }]))
    expect(await site.moodle.writeProfile(3, values)).toEqual({ kind: 'differs', fields: Object.keys(values) })
  })

  test('that are empty are the same as fields that are not shown', async () => {
    site.on(findUsers, json(200, [{ ...ada, customfields: [{ shortname: 'credurl', value: null }] }]))
    expect(await site.moodle.writeProfile(3, { credurl: '', credid: '' })).toEqual({ kind: 'verified' })
    expect(site.calledFunctions()).toEqual([findUsers])
    expect(Object.fromEntries((await site.moodle.readProfile(3)) ?? [])).toEqual({ credurl: '' })
    site.on(findUsers, json(200, [{ id: 3 }]))
    expect(await site.moodle.readProfile(3)).toEqual(new Map())
    expect(await site.moodle.readProfile(4)).toBeNull()
  })

  test('may be written if Moodle refuses only the user who does not exist', async () => {
    site.on(updateUsers, recorded('23-update_users_unknown_user'), json(200, null), exception('nopermissions'))
    expect(await site.moodle.requireProfileWriting()).toBeUndefined()
    expect(Object.fromEntries(site.forms(updateUsers)[0] ?? [])).toMatchObject({ 'users[0][id]': '0' })
    expect(await site.moodle.requireProfileWriting()).toBeUndefined()
    await expect(site.moodle.requireProfileWriting()).rejects.toMatchObject({ name: 'MoodleRefusedError' })
  })

  test('are written to older Moodles that return null', async () => {
    site.on(findUsers, withFields({}), withFields(values))
    site.on(updateUsers, json(200, null))
    expect(await site.moodle.writeProfile(3, values)).toEqual({ kind: 'verified' })
  })
})

describe('an assignment', () => {
  const url = 'https://verify.example/c/0b7e3f1c?a=1&b=2'
  const entry = {
    courseId: 2,
    assignment: 'FIRE101-cred',
    userId: 3,
    grade: 100,
    comment: moodleHtml`<p>Credential issued: <a href="${url}">verify</a></p>`,
  }
  const empty = JSON.parse(moodleCapture('43b-grade_items_ada'))
  empty.usergrades[0].gradeitems[0].feedback = ''
  const ungraded = json(200, { assignments: [], warnings: [{ item: 'x', itemid: 1, warningcode: '3', message: '' }] })

  test('gets grade and comment, and both are verified by reading them back', async () => {
    site.on(gradeItems, json(200, empty), recorded('43b-grade_items_ada'))
    site.on(getGrades, recorded('41-assign_get_grades'))
    site.on(saveGrade, recorded('40-assign_save_grade'))
    expect(await site.moodle.writeAssignment(entry)).toEqual({ kind: 'verified' })
    expect(site.calledFunctions()).toEqual([gradeItems, saveGrade, getGrades, gradeItems])
    expect(Object.fromEntries(site.forms(saveGrade)[0] ?? [])).toMatchObject({
      assignmentid: '1',
      userid: '3',
      grade: '100',
      attemptnumber: '-1',
      addattempt: '0',
      applytoall: '0',
      workflowstate: 'released',
      'plugindata[assignfeedbackcomments_editor][text]':
        '<p>Credential issued: <a href="https://verify.example/c/0b7e3f1c?a=1&#38;b=2">verify</a></p>',
      'plugindata[assignfeedbackcomments_editor][format]': '1',
    })
    expect(site.forms(getGrades)[0]?.get('assignmentids[0]')).toBe('1')
  })

  test('that already has both is not written again', async () => {
    site.on(gradeItems, recorded('43b-grade_items_ada'))
    site.on(getGrades, recorded('41-assign_get_grades'))
    expect(await site.moodle.writeAssignment(entry)).toEqual({ kind: 'verified' })
    expect(site.calledFunctions()).not.toContain(saveGrade)
  })

  test('that has lost its comment differs: this is how disabled comments appear', async () => {
    site.on(gradeItems, json(200, empty))
    site.on(getGrades, recorded('41-assign_get_grades'))
    site.on(saveGrade, recorded('40-assign_save_grade'))
    expect(await site.moodle.writeAssignment(entry)).toEqual({ kind: 'differs', fields: ['comment'] })
  })

  test('differs if it has no grade for the learner, or another one', async () => {
    site.on(gradeItems, recorded('43b-grade_items_ada'))
    site.on(getGrades, ungraded)
    site.on(saveGrade, recorded('40-assign_save_grade'))
    expect(await site.moodle.writeAssignment(entry)).toEqual({ kind: 'differs', fields: ['grade'] })
    site.on(getGrades, recorded('41-assign_get_grades'))
    expect(await site.moodle.writeAssignment({ ...entry, grade: 99 })).toEqual({ kind: 'differs', fields: ['grade'] })
    expect(await site.moodle.writeAssignment({ ...entry, userId: 4 })).toEqual({ kind: 'differs', fields: ['grade'] })
  })

  test('is compared with the latest attempt', async () => {
    const attempts = [
      { userid: 3, attemptnumber: 0, grade: '100.00000' },
      { userid: 3, attemptnumber: 1, grade: '-1.00000' },
    ]
    site.on(gradeItems, recorded('43b-grade_items_ada'))
    site.on(getGrades, json(200, { assignments: [{ assignmentid: 1, grades: attempts }] }))
    site.on(saveGrade, recorded('40-assign_save_grade'))
    expect(await site.moodle.writeAssignment(entry)).toEqual({ kind: 'differs', fields: ['grade'] })
  })

  test('that is not in the course is an error for this record, and nothing is written', async () => {
    site.on(gradeItems, recorded('43-grade_items'))
    const missing = { ...entry, assignment: 'FOOD201-cred' }
    await expect(site.moodle.writeAssignment(missing)).rejects.toMatchObject({ errorcode: 'noassignment' })
    expect(site.calledFunctions()).toEqual([gradeItems])
  })

  test('whose grades the account may not read is refused, and so it is when it is checked', async () => {
    const warnings = [{ item: 'x', itemid: 1, warningcode: '1', message: '' }]
    const hidden = json(200, { assignments: [], warnings })
    site.on(gradeItems, recorded('43b-grade_items_ada'))
    site.on(getGrades, hidden)
    expect(await site.moodle.mayReadGrades(entry)).toBe(false)
    await expect(site.moodle.writeAssignment(entry)).rejects.toMatchObject({
      ...{ name: 'MoodleRefusedError', errorcode: 'nopermissions', calledFunction: getGrades },
    })
  })

  test.each<[string, object | null]>([
    ['a warning about another assignment', [{ itemid: 2, warningcode: '1' }]],
    ['another warning', [{ itemid: 1, warningcode: '3' }]],
    ['no warning', []],
    ['none at all', null],
  ])('is readable with %s', async (_, warnings) => {
    site.on(gradeItems, recorded('43b-grade_items_ada'))
    site.on(getGrades, json(200, { assignments: [], warnings }))
    expect(await site.moodle.mayReadGrades(entry)).toBe(true)
    expect(site.forms(getGrades)[0]?.get('assignmentids[0]')).toBe('1')
    expect(Object.fromEntries(site.forms(gradeItems)[0] ?? [])).toMatchObject({ courseid: '2', userid: '3' })
    expect(site.calledFunctions()).toEqual([gradeItems, getGrades])
  })

  test.each([
    ['100.000004', true],
    ['99.999996', true],
    ['100.00001', false],
    ['99.99999', false],
  ])('with the grade %s has the grade 100: %j', async (grade, isSame) => {
    const ofOthers = { assignmentid: 2, grades: [{ userid: 3, attemptnumber: 5, grade: '1' }] }
    const own = { assignmentid: 1, grades: [{ userid: 3, attemptnumber: 0, grade }] }
    site.on(gradeItems, recorded('43b-grade_items_ada'))
    site.on(getGrades, json(200, { assignments: [ofOthers, own] }))
    site.on(saveGrade, recorded('40-assign_save_grade'))
    const written = await site.moodle.writeAssignment(entry)
    expect(written).toEqual(isSame ? { kind: 'verified' } : { kind: 'differs', fields: ['grade'] })
  })

  test('is not mistaken for an activity of another kind with the same number', async () => {
    const items = [
      { itemmodule: 'quiz', iteminstance: 7, idnumber: 'FIRE101-cred', feedback: 'x' },
      { itemmodule: 'assign', iteminstance: 8, idnumber: 'other', feedback: 'y' },
    ]
    site.on(gradeItems, json(200, { usergrades: [{ gradeitems: items }] }))
    await expect(site.moodle.mayReadGrades(entry)).rejects.toMatchObject({
      ...{ name: 'MoodleRecordError', errorcode: 'noassignment', calledFunction: gradeItems },
    })
  })
})
