// Tests how courses become complete: immediately, by cron, and again.

import { expect, test } from 'vitest'
import { type Lab, openLab } from './captured-site.ts'

const at = (seconds: number) => new Date(1795219000_000 + seconds * 1000)

interface Status {
  completionstatus: { completed: boolean; completions: { complete: boolean; timecompleted: number | null }[] }
}

const statusOf = async ({ call }: Lab, learner: number, course: number) => {
  const form = { courseid: String(course), userid: String(learner) }
  const { completionstatus } = (await call('core_completion_get_course_completion_status', form)) as Status
  const times = completionstatus.completions.map(({ timecompleted }) => timecompleted && timecompleted - 1795219000)
  return [completionstatus.completed, ...times]
}

test('a course is complete when its last criterion is, with the latest of their times (1.1)', async () => {
  const lab = await openLab()
  const { sandbox, ada, call } = lab
  const criteria = [{ title: 'One' }, { title: 'Two' }]
  const course = sandbox.addCourse({ idnumber: 'C', shortname: 'C', fullname: 'C', criteria })
  sandbox.enroll(ada, course.id)
  await sandbox.tick(ada, course.id, at(120), course.criteria[1])
  await sandbox.cron()
  expect(await statusOf(lab, ada, course.id)).toEqual([false, null, 120])
  await sandbox.complete(ada, course.id, at(60))
  expect(await statusOf(lab, ada, course.id)).toEqual([true, 60, 120])
  // 1795219120 is 23:58:40 on the day before the captured completions.
  expect(await call('core_reportbuilder_retrieve_report', { reportid: '1', perpage: '99' })).toMatchObject({
    data: {
      rows: expect.arrayContaining([
        { columns: expect.arrayContaining(['C', 'Yes', 'Friday, 20 November 2026, 11:58 PM']) },
      ]),
    },
  })
})

test('a completion that cron decides has the criterion’s time, and is not there before cron (8.3)', async () => {
  const lab = await openLab()
  const { sandbox, ada, fire } = lab
  await sandbox.tick(ada, fire.id, at(5))
  expect(await statusOf(lab, ada, fire.id)).toEqual([false, 5])
  await sandbox.cron()
  expect(await statusOf(lab, ada, fire.id)).toEqual([true, 5])
})

test('cron ignores a learner who is no longer enrolled', async () => {
  const lab = await openLab()
  const { sandbox, ada, fire } = lab
  await sandbox.tick(ada, fire.id, at(5))
  sandbox.unenroll(ada, fire.id)
  await sandbox.cron()
  sandbox.enroll(ada, fire.id)
  expect(await statusOf(lab, ada, fire.id)).toEqual([false, 5])
})

test('a second tick changes neither the criterion nor the completion (06)', async () => {
  const lab = await openLab()
  const { sandbox, ada, fire } = lab
  await sandbox.complete(ada, fire.id, at(5))
  await sandbox.untick(ada, fire.id, fire.criteria[0] ?? 0, at(8))
  await sandbox.tick(ada, fire.id, at(9), fire.criteria[0])
  await sandbox.complete(ada, fire.id, at(10))
  expect(await statusOf(lab, ada, fire.id)).toEqual([true, 5])
})

test('a re-certification has a new time (15)', async () => {
  const lab = await openLab()
  const { sandbox, ada, fire } = lab
  await sandbox.complete(ada, fire.id, at(5))
  await sandbox.recomplete(ada, fire.id, at(500))
  expect(await statusOf(lab, ada, fire.id)).toEqual([true, 500])
})

test('an unknown user cannot complete anything', async () => {
  const { sandbox, fire } = await openLab()
  await expect(sandbox.complete(999, fire.id)).rejects.toThrow("Can't find data record in database table user.")
})
