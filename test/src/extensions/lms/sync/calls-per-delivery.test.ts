// The number of calls to deliver one credential to each kind of target: the figures in docs/moodle.md.

import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { openMoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import type { DueDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import type { WriteBackSettings } from '#src/extensions/lms/settings/write-back-settings.ts'
import { deliverToTarget } from '#src/extensions/lms/sync/deliver-to-target.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { ltiTool } from '#test/support/lti-campus-options.ts'

const uuid = '00000000-0000-4000-8000-000000000001'

/** Opens a site with a course, learners and all kinds of targets, and counts the calls for one credential. */
async function openSite() {
  const lms = await openMoodleSandbox({ reviewsEnrollments: true, ...ltiTool.site }, systemClock)
  onTestFinished(() => lms.close())
  lms.addProfileField({ shortname: 'credurl', name: 'Link' })
  const course = lms.addCourse({
    idnumber: 'FIRE-1',
    shortname: 'FIRE',
    fullname: 'Fire safety',
    assignment: { name: 'Credential', idnumber: 'CREDENTIAL' },
    ...ltiTool.courseFields,
  })
  const writeBack = [
    { to: 'moodle-profile', system: 'campus', fields: { credurl: 'link' } },
    { to: 'moodle-assignment', system: 'campus', assignment: 'CREDENTIAL' },
    { to: 'lti', system: 'gradebook', lineItem: course.lineItem },
  ]
  const source = { system: 'campus', course: 'FIRE-1' }
  const ids = { course: uuid, template: uuid, badgeTemplate: uuid }
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: { campus: { type: 'moodle', url: lms.url, token: lms.token }, ...ltiTool.systems(lms) },
    pipelines: { spring: { ...ids, columns: {}, source, writeBack } },
  })
  const http = openLmsHttp(systemClock)
  onTestFinished(() => http.close())
  const clock = systemClock
  const learning = openLearningSystems(file, {
    send: http.send,
    clock,
    random: Math.random,
    gateFor: () => (work) => work(),
  })

  async function callsFor(to: WriteBackSettings['to'], due: DueDelivery): Promise<string[]> {
    const target = learning.targetsOf('spring').find((target) => target.settings.to === to)
    if (!target) throw new Error('The configuration of the test has no such target.')
    const countBefore = lms.journal().length
    const tools = { learning, send: http.send, clock, random: Math.random, environment: 'development' as const }
    const result = await deliverToTarget({ ...tools, target }, due)
    expect(result).toEqual({ kind: 'verified' })
    const events = lms.journal().slice(countBefore)
    return events.flatMap((deed) => (deed.kind === 'answered' ? [deed.what] : []))
  }

  function credentialOf(firstname: string): DueDelivery {
    const { id } = lms.addLearner({ firstname, lastname: 'L', email: `${firstname}@example.org` })
    lms.enroll(id, course.id)
    return {
      id: 1,
      issuanceId: id,
      wanted: 'issued',
      tries: 0,
      refused: false,
      completion: { system: 'campus', learner: String(id), course: 'FIRE-1', completedAt: new Date('2026-01-02') },
      credentialId: `c-${id}`,
      verifierLink: `https://verify.example/c-${id}`,
      issueDate: '2026-01-02',
      validTill: null,
      reason: null,
      since: new Date('2026-01-02T10:00:00Z'),
      pipeline: 'spring',
    }
  }

  return { callsFor, credentialOf }
}

test('a profile costs 3 calls, and 1 if it is already up to date', async () => {
  const { callsFor, credentialOf } = await openSite()
  const ada = credentialOf('ada')
  const read = 'core_user_get_users_by_field'
  expect(await callsFor('moodle-profile', ada)).toEqual([read, 'core_user_update_users', read])
  expect(await callsFor('moodle-profile', ada)).toEqual([read])
})

test('an assignment costs 5 calls, and 3 if it is already up to date', async () => {
  const { callsFor, credentialOf } = await openSite()
  const [course, items] = ['core_course_get_courses_by_field', 'gradereport_user_get_grade_items']
  const [save, grades] = ['mod_assign_save_grade', 'mod_assign_get_grades']
  const ada = credentialOf('ada')
  expect(await callsFor('moodle-assignment', ada)).toEqual([course, items, save, grades, items])
  expect(await callsFor('moodle-assignment', ada)).toEqual([course, items, grades])
})

test('a score by LTI costs 3 calls, 1 if it is already up to date, and a token shared by many', async () => {
  const { callsFor, credentialOf } = await openSite()
  const [ada, byron] = [credentialOf('ada'), credentialOf('byron')]
  const [readResults, postScore] = ['GET results', 'POST scores']
  expect(await callsFor('lti', ada)).toEqual(['POST token', readResults, postScore, readResults])
  expect(await callsFor('lti', ada)).toEqual([readResults])
  expect(await callsFor('lti', byron)).toEqual([readResults, postScore, readResults])
})
