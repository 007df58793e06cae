// What `check` reports about a Moodle site that answers every call but cannot be used, because rights are missing or
// numbers are wrong. A real Moodle returns an error for only a few of these faults.

import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import type { AccountProblem } from '#sandboxes/moodle/account.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import type { MoodleSandboxSettings } from '#sandboxes/moodle/settings.ts'
import type { NewCourse, NewLearner } from '#sandboxes/moodle/site.ts'
import { checkSystems } from '#src/extensions/lms/check/check-systems.ts'
import { moodleHtml } from '#src/extensions/lms/moodle/html.ts'
import { openMoodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import { privileges } from '#src/extensions/lms/moodle/privileges.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const sandboxesToClose: MoodleSandbox[] = []
afterEach(() => Promise.all(sandboxesToClose.splice(0).map((each) => each.close())))

/**
 * Opens a site that has a course FIRE-1 with a teacher whose e-mail address is public, and three learners, the first of
 * whom has completed it.
 */
async function openSite(settings: Partial<MoodleSandboxSettings> = {}, courseSettings: Partial<NewCourse> = {}) {
  const lms = await openMoodleSandbox({ reviewsEnrollments: true, ...settings }, systemClock)
  sandboxesToClose.push(lms)
  lms.addProfileField({ shortname: 'credid', name: 'Credential' })
  const assignment = { name: 'Credential', idnumber: 'FIRE-cred' }
  const { id: course } = lms.addCourse({
    idnumber: 'FIRE-1',
    shortname: 'FIRE',
    fullname: 'Fire safety',
    assignment,
    ...courseSettings,
  })
  const add = (firstname: string, more: Partial<NewLearner> = {}) =>
    lms.addLearner({ firstname, lastname: 'L', email: `${firstname}@example.org`, idnumber: `E-${firstname}`, ...more })
      .id
  lms.enrolTeacher(add('grace', { hasPublicEmail: true }), course)
  const learners = ['ada', 'alan', 'edsger'].map((each) => add(each))
  for (const learner of learners) lms.enroll(learner, course)
  await lms.complete(learners[0] ?? 0, course)
  return lms
}

const writeBack = [
  { to: 'moodle-profile', system: 'campus', fields: { credid: 'credential' } },
  { to: 'moodle-assignment', system: 'campus', assignment: 'FIRE-cred' },
]

async function runCheck(lms: MoodleSandbox, system: object = {}, pipeline: object = {}) {
  const spring = {
    course: uuid,
    template: uuid,
    badgeTemplate: uuid,
    columns: {},
    source: { system: 'campus', course: 'FIRE-1' },
    writeBack,
    ...pipeline,
  }
  const campus = { type: 'moodle', url: lms.url, token: lms.token, ...system }
  const checks = await checkSystems({
    settings: {
      file: parseFileSettings({
        service: { environment: 'development' },
        systems: { campus },
        pipelines: { spring },
      }),
    },
    ledger: null,
    clock: systemClock,
  })
  const faults = checks.filter(({ ok }) => !ok)
  return { checks, faults, faultSentences: faults.map(({ what, remedy }) => `${what}. ${remedy}`) }
}

const withReport = { report: 1 }

describe('a role', () => {
  test('that has every right passes, and the check writes nothing', async () => {
    const lms = await openSite()
    const { faultSentences, checks } = await runCheck(lms, withReport)
    expect(faultSentences).toEqual([])
    expect(checks.find(({ name }) => name === 'system course')?.what).toContain('can be read (people in the course: 4)')
    expect(lms.journal().filter(({ kind }) => kind === 'wrote')).toEqual([])
  })

  // These cannot be checked without writing, or matter only in combination or in other courses.
  const uncheckable = new Set([
    'mod/assign:grade',
    'moodle/grade:edit',
    'moodle/course:useremail',
    'moodle/site:accessallgroups',
  ])
  const rights = new Set([
    'webservice/rest:use',
    'moodle/course:view',
    ...privileges.flatMap((privilege) => privilege.capabilities),
  ])

  test.each([...rights].filter((right) => !uncheckable.has(right)))('that lacks %s is reported', async (right) => {
    const lms = await openSite({ lacks: [right] })
    const { faultSentences } = await runCheck(lms, withReport)
    expect(faultSentences.join('\n')).toContain(right)
  })

  test('that sees only some participants of a course is reported, with who they are and how many', async () => {
    const lms = await openSite({ lacks: ['moodle/user:viewdetails'] })
    expect((await runCheck(lms)).faultSentences).toEqual([
      expect.stringContaining(
        'can see only itself and teachers, and so no learner of FIRE-1 (people in the list: 1). Allow moodle/user:viewdetails',
      ),
    ])
  })

  test('is reported if a setting hides the e-mail address of a single learner', async () => {
    const lms = await openSite({ lacks: ['moodle/site:viewuseridentity'] })
    expect((await runCheck(lms)).faultSentences).toEqual([expect.stringContaining('showuseridentity')])
    lms.forbid('moodle/course:useremail')
    expect((await runCheck(lms)).faultSentences).toEqual([
      expect.stringContaining('the e-mail addresses of 3 of the 4 people in FIRE-1. Allow moodle/course:useremail'),
    ])
    lms.allow('moodle/site:viewuseridentity')
    expect((await runCheck(lms)).faultSentences).toEqual([])
  })

  test('is reported if the course has separate groups and it cannot access them all', async () => {
    const lms = await openSite({ lacks: ['moodle/site:accessallgroups'] }, { separateGroups: true })
    expect((await runCheck(lms)).faultSentences).toEqual([expect.stringContaining('moodle/site:accessallgroups')])
  })

  test('passes in a course that no one has joined yet', async () => {
    const lms = await openSite()
    lms.addCourse({ idnumber: 'NEW-1', shortname: 'NEW', fullname: 'New' })
    const { faultSentences, checks } = await runCheck(lms, {}, { source: { system: 'campus', course: 'NEW-1' } })
    expect(faultSentences).toEqual([])
    expect(checks.find(({ name }) => name === 'system course')?.notices).toEqual([
      expect.stringMatching(/^no one in the course is visible, so these were not checked: whether completion statuses/),
    ])
    const assignment = checks.find(({ name }) => name === 'assignment')
    expect(assignment).toMatchObject({ ok: true, what: expect.stringContaining('FIRE-cred of NEW-1 was not checked') })
  })

  test('is not reported because of one learner without an address', async () => {
    const lms = await openSite()
    const { id } = lms.addCourse({ idnumber: 'MIXED-1', shortname: 'MIXED', fullname: 'Mixed' })
    for (const email of ['m@example.org', 'n@example.org', ''])
      lms.enroll(lms.addLearner({ firstname: 'x', lastname: 'y', email, username: `x${email}` }).id, id)
    const pipeline = { source: { system: 'campus', course: 'MIXED-1' }, writeBack: [] }
    expect((await runCheck(lms, {}, pipeline)).faultSentences).toEqual([])
  })

  test('is also checked in a course without criteria, together with its assignment', async () => {
    const lms = await openSite({ lacks: ['moodle/user:viewalldetails'] }, { criteria: [] })
    const { faultSentences } = await runCheck(lms, {}, { writeBack: [{ ...writeBack[1], assignment: 'FIRE-other' }] })
    expect(faultSentences).toEqual([
      expect.stringContaining('no completion criteria'),
      expect.stringContaining('Allow moodle/user:viewalldetails'),
      expect.stringContaining('no assignment with the ID number FIRE-other'),
    ])
  })

  test('is not checked in a course whose first participants are all teachers, and this is reported', async () => {
    const lms = await openSite({}, { idnumber: 'OLD-1' })
    const { id } = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'NEW', fullname: 'New' })
    for (let i = 1; i <= 21; i++)
      lms.enrolTeacher(lms.addLearner({ firstname: 't', lastname: `${i}`, email: `t${i}@example.org` }).id, id)
    const { checks } = await runCheck(lms, {}, { writeBack: [] })
    expect(checks.find(({ name }) => name === 'system course')?.notices).toEqual([
      expect.stringMatching(
        /^none of the first 20 of the 21 people in the course is a learner, so these were not checked/,
      ),
    ])
  })
})

describe('a step of docs/moodle.md that is left out', () => {
  test.each(privileges.map(({ name }) => name))('is reported for the function %s', async (omitted) => {
    const functions = privileges.map(({ name }) => name).filter((name) => name !== omitted)
    const { faultSentences } = await runCheck(await openSite({ functions }), withReport)
    expect(faultSentences[0]).toContain(omitted)
  })

  test.each<[string, Partial<NewCourse>, RegExp]>([
    ['the ID number of the course', { idnumber: '' }, /Set “Course ID number” in the settings of the course/],
    ['its completion criteria', { criteria: [] }, /no completion criteria.*under “Course completion”/],
  ])('is reported for %s', async (_, courseSettings, words) => {
    expect((await runCheck(await openSite({}, courseSettings))).faultSentences).toEqual([expect.stringMatching(words)])
  })

  test('is reported for two courses with one ID number', async () => {
    const lms = await openSite()
    lms.addCourse({ idnumber: 'FIRE-1', shortname: 'OTHER', fullname: 'Another' })
    expect((await runCheck(lms)).faultSentences.join()).toMatch(/More than one course has this ID number/)
  })

  // No read-only call shows this; only the first delivery does.
  test('is named by the error from the first write, if it is mod/assign:grade', async () => {
    const lms = await openSite({ lacks: ['mod/assign:grade'] })
    expect((await runCheck(lms)).faultSentences).toEqual([])
    const wire = openLmsHttp(systemClock)
    onTestFinished(() => wire.close())
    const connection = { url: lms.url, token: new Secret(lms.token) }
    const moodle = openMoodle({ ...connection, send: wire.send, clock: systemClock, gate: (work) => work() })
    const course = await moodle.courseByIdnumber('FIRE-1')
    if (!course) throw new Error('The course FIRE-1 is missing from the sandbox.')
    const ada = (await moodle.enrolledLearners(course.id)).find(({ firstname }) => firstname === 'ada')
    const entry = { courseId: course.id, assignment: 'FIRE-cred', userId: ada?.id ?? 0, grade: 100 }
    await expect(moodle.writeAssignment({ ...entry, comment: moodleHtml`<p>It is there.</p>` })).rejects.toThrow(
      'mod/assign:grade',
    )
  })
})

describe('an account or a token that Moodle refuses', () => {
  test.each<[AccountProblem, RegExp]>([
    ['wsaccessuserdeleted', /^Create a new account/],
    ['wsaccessuserunconfirmed', /^Confirm the account of the token/],
    ['wsaccessusersuspended', /^Enable the account of the token again/],
    ['wsaccessusernologin', /^Give it "Web services authentication"/],
    ['wsaccessuserexpired', /^Give the account of the token the authentication method/],
    ['forcepasswordchangenotice', /^Check whether .* change its password/],
    ['nopasswordchangeforced', /^Check whether .* change its password/],
    ['usernotfullysetup', /^Check whether .* required profile fields/],
    ['sitepolicynotagreed', /^Check whether .* agree to the site policy/],
  ])('is reported for %s, with a remedy', async (trouble, remedy) => {
    const lms = await openSite()
    lms.account(trouble)
    expect((await runCheck(lms)).faults.map((fault) => fault.remedy)).toEqual([expect.stringMatching(remedy)])
  })

  test('is reported when the token has expired, at its first use and later', async () => {
    const lms = await openSite()
    lms.expireToken()
    expect((await runCheck(lms)).faultSentences[0]).toContain(
      'A token that has just expired is refused with the same code',
    )
    expect((await runCheck(lms)).faults.map((fault) => fault.remedy)).toEqual([
      expect.stringMatching(/^Create a new token/),
    ])
  })
})

test('an assignment that is not in the course is reported, with where to find its number', async () => {
  const lms = await openSite({}, { assignment: { name: 'Credential', idnumber: 'FIRE-other' } })
  expect((await runCheck(lms)).faultSentences).toEqual([
    expect.stringMatching(
      /no assignment with the ID number FIRE-cred \(writeBack of pipelines\.spring\)\. Set “ID number”/,
    ),
  ])
})

describe('a report', () => {
  test('that does not exist on the site is reported as a missing report', async () => {
    const lms = await openSite()
    const { faultSentences } = await runCheck(lms, { report: 12 })
    expect(faultSentences).toEqual([
      expect.stringMatching(/^Moodle has no report with this number .*\. Set `report` of the system to/),
    ])
    expect(faultSentences.join()).not.toContain('learner was deleted')
  })

  test('that identifies no one is reported, with the columns to add', async () => {
    const lms = await openSite()
    const { id } = lms.addCourse({ idnumber: 'ANON-1', shortname: 'ANON', fullname: 'Anonymous' })
    lms.enroll(lms.addLearner({ firstname: 'a', lastname: 'b', email: 'a@example.org' }).id, id)
    for (const capability of ['user:viewalldetails', 'course:useremail', 'site:viewuseridentity'])
      lms.forbid(`moodle/${capability}`)
    const { faultSentences } = await runCheck(lms, withReport, {
      source: { system: 'campus', course: 'ANON-1' },
      writeBack: [],
    })
    expect(faultSentences.at(-1)).toMatch(
      /^report 1 shows 0 of the 1 people in ANON-1, so .*\. Add the ID number, user name or/,
    )
  })
})
