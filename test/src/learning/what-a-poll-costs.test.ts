// What one look at a course costs the Moodle, in calls: the figures that docs/moodle.md gives.

import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { askableMoodle } from '#src/learning/hear-moodle.ts'
import { sourcesOf } from '#src/learning/open-learning.ts'
import { openMoodle } from '#src/moodle/open-moodle.ts'
import { openMoodleSandbox } from '#src/moodle-sandbox/open-moodle-sandbox.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { openWire } from '#src/wire/open-wire.ts'

const uuid = '00000000-0000-4000-8000-000000000001'

test('1,000 completions of which 500 are known cost a report call for each 1,000 rows, one list of the enrolled, and 500 status calls', async () => {
  const lms = await openMoodleSandbox({ reviewsEnrolments: true }, systemClock)
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
    lms.enrol(learner.id, id)
    await lms.complete(learner.id, id)
    learners.push(learner.id)
  }
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: { campus: { type: 'moodle', url: lms.url, token: lms.token, report: 1, reportColumn: 9 } },
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
  const [pipeline] = sourcesOf(file)
  if (settings?.type !== 'moodle' || !pipeline) throw new Error('The configuration of the test has no Moodle.')
  const wire = openWire(systemClock)
  onTestFinished(() => wire.close())
  const moodle = openMoodle({
    url: lms.url,
    token: new Secret(lms.token),
    send: wire.send,
    clock: systemClock,
    gate: (work) => work(),
  })
  const course = await askableMoodle({ name: 'campus', settings, moodle }).course(pipeline)
  if (!course) throw new Error('The sandbox has no course.')
  const known = new Set(learners.slice(0, 500).map(String))
  const heard = await course.hearAll(known)
  expect(heard.completions).toHaveLength(500)
  expect(heard.completions[0]?.cells).toMatchObject({ email: 'p501@example.org', idnumber: 'E-501', firstname: 'F501' })
  const calls = new Map<string, number>()
  for (const entry of lms.journal())
    if (entry.kind === 'answered') calls.set(entry.what, (calls.get(entry.what) ?? 0) + 1)
  expect(Object.fromEntries(calls)).toEqual({
    core_course_get_courses_by_field: 1,
    core_enrol_get_enrolled_users: 1,
    // 1,002 rows: two belong to nobody.
    core_reportbuilder_retrieve_report: 2,
    core_completion_get_course_completion_status: 500,
  })
})
