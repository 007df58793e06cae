// The number of Moodle calls for one poll of a course: the figures in docs/moodle.md.

import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { openMoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import { openMoodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import { completionPipelinesOf } from '#src/extensions/lms/sync/open-learning.ts'
import { pollableMoodle } from '#src/extensions/lms/systems/moodle-completions.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const uuid = '00000000-0000-4000-8000-000000000001'

test('1,000 completions of which 500 are known take a report call for each 1,000 rows, one enrollment list, and 500 status calls', async () => {
  const lms = await openMoodleSandbox({ reviewsEnrollments: true }, systemClock)
  onTestFinished(() => lms.close())
  const { id } = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire safety' })
  const learners: number[] = []
  for (let n = 1; n <= 1_000; n++) {
    const learner = lms.addLearner({
      firstname: `F${n}`,
      lastname: `L${n}`,
      email: `p${n}@example.org`,
      idnumber: `E-${n}`,
    })
    lms.enroll(learner.id, id)
    await lms.complete(learner.id, id)
    learners.push(learner.id)
  }
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: { campus: { type: 'moodle', url: lms.url, token: lms.token, report: 1 } },
    pipelines: {
      spring: {
        course: uuid,
        template: uuid,
        badgeTemplate: uuid,
        columns: {},
        source: { system: 'campus', course: 'FIRE-1' },
      },
    },
  })
  const settings = file.systems.campus
  const [pipeline] = completionPipelinesOf(file)
  if (settings?.type !== 'moodle' || !pipeline) throw new Error('The configuration of the test has no Moodle.')
  const http = openLmsHttp(systemClock)
  onTestFinished(() => http.close())
  const moodle = openMoodle({
    url: lms.url,
    token: new Secret(lms.token),
    send: http.send,
    clock: systemClock,
    gate: (work) => work(),
  })
  const course = await pollableMoodle({ name: 'campus', settings, moodle }).course(pipeline)
  if (!course) throw new Error('The sandbox has no course.')
  const known = new Set(learners.slice(0, 500).map(String))
  const found = await course.findAll(known)
  expect(found.completions).toHaveLength(500)
  expect(found.completions[0]?.cells).toMatchObject({ email: 'p501@example.org', idnumber: 'E-501', firstname: 'F501' })
  const calls = new Map<string, number>()
  for (const entry of lms.journal())
    if (entry.kind === 'answered') calls.set(entry.what, (calls.get(entry.what) ?? 0) + 1)
  expect(Object.fromEntries(calls)).toEqual({
    core_course_get_courses_by_field: 1,
    core_enrol_get_enrolled_users: 1,
    // 1,002 rows, two of them without a learner.
    core_reportbuilder_retrieve_report: 2,
    core_completion_get_course_completion_status: 500,
  })
})
