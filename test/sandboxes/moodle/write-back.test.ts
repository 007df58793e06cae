// Tests what is written to the learning system, and what is only reported as written.

import { expect, test } from 'vitest'
import { type Lab, openLab } from './captured-site.ts'

const fieldsOf = async ({ call }: Lab, id: number) => {
  const [found] = (await call('core_user_get_users_by_field', { field: 'id', 'values[0]': String(id) })) as {
    customfields?: { shortname: string; value: string }[]
  }[]
  return found?.customfields?.map(({ shortname, value }) => [shortname, value])
}

const field = (user: number, id: number, type: string, value: string) => ({
  [`users[${user}][id]`]: String(id),
  [`users[${user}][customfields][0][type]`]: type,
  [`users[${user}][customfields][0][value]`]: value,
})

test('an unknown field is answered as if it were written, but is not (22)', async () => {
  const lab = await openLab()
  expect(await lab.call('core_user_update_users', field(0, lab.ada, 'credurl', 'x'))).toEqual({ warnings: [] })
  expect(await fieldsOf(lab, lab.ada)).toBeUndefined()
  lab.sandbox.addProfileField({ shortname: 'credurl', name: 'Link' })
  await lab.call('core_user_update_users', field(0, lab.ada, 'credurl', 'x'))
  expect(await fieldsOf(lab, lab.ada)).toEqual([['credurl', 'x']])
  expect(lab.sandbox.journal().filter(({ kind }) => kind === 'wrote')).toMatchObject([{ learner: lab.ada }])
})

test('a valid user in a batch is written beside an invalid one (25)', async () => {
  const lab = await openLab()
  lab.sandbox.addProfileField({ shortname: 'credurl', name: 'Link' })
  const batch = { ...field(0, 88888, 'credurl', 'x'), ...field(1, lab.ada, 'credurl', 'y') }
  expect(await lab.call('core_user_update_users', batch)).toEqual({
    warnings: [{ item: 'user', itemid: 88888, warningcode: 'invaliduserid', message: 'Invalid user ID' }],
  })
  expect(await fieldsOf(lab, lab.ada)).toEqual([['credurl', 'y']])
})

test('a malformed user stops the whole call before anything is written', async () => {
  const lab = await openLab()
  lab.sandbox.addProfileField({ shortname: 'credurl', name: 'Link' })
  const batch = { ...field(0, lab.ada, 'credurl', 'y'), 'users[1][id]': 'x' }
  expect(await lab.call('core_user_update_users', batch)).toHaveProperty('errorcode', 'invalidparameter')
  expect(await fieldsOf(lab, lab.ada)).toBeUndefined()
})

test('a value of 318 characters is kept whole (1.5)', async () => {
  const lab = await openLab()
  lab.sandbox.addProfileField({ shortname: 'credurl', name: 'Link' })
  await lab.call('core_user_update_users', field(0, lab.ada, 'credurl', 'u'.repeat(318)))
  expect(await fieldsOf(lab, lab.ada)).toEqual([['credurl', 'u'.repeat(318)]])
})

test('assignments are shown to an account without enrollments only if it requests them', async () => {
  const { call, fire } = await openLab()
  const plain = await call('mod_assign_get_assignments', { 'courseids[0]': '2' })
  expect(plain).toMatchObject({ courses: [], warnings: [{ item: 'course', itemid: 2, warningcode: '2' }] })
  const asked = { 'courseids[0]': '2', 'courseids[1]': '77', includenotenrolledcourses: '1' }
  expect(await call('mod_assign_get_assignments', asked)).toMatchObject({
    courses: [{ id: 2, shortname: 'FIRE101', assignments: [{ ...fire.assignment, course: 2, name: 'Credential' }] }],
    warnings: [{ itemid: 77, warningcode: '1' }],
  })
})

test('grades of an assignment without any return a warning', async () => {
  const { call } = await openLab()
  expect(await call('mod_assign_get_grades', { 'assignmentids[0]': '1' })).toEqual({
    assignments: [],
    warnings: [{ item: 'assignment', itemid: 1, warningcode: '3', message: 'No grades found' }],
  })
})

test('a grade without its required arguments is refused and not written', async () => {
  const { call, sandbox } = await openLab()
  const form = { assignmentid: '1', userid: '3', grade: '100' }
  expect(await call('mod_assign_save_grade', form)).toHaveProperty('errorcode', 'invalidparameter')
  expect(sandbox.journal().filter(({ kind }) => kind === 'wrote')).toEqual([])
})
