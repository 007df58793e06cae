// What `check` reports about a Canvas site.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import type { CanvasSandbox } from '#sandboxes/canvas/open-canvas-sandbox.ts'
import type { CanvasPermission } from '#sandboxes/canvas/site.ts'
import { labelOf } from '#src/check/check-result.ts'
import { checkSystems } from '#src/extensions/lms/check/check-systems.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openSite } from '#test/src/extensions/lms/canvas/open-site-and-client.ts'

const uuid = '00000000-0000-4000-8000-000000000001'

async function runCheck({ url, token }: { url: string; token: string }, course = '7') {
  const writeBack = [{ to: 'canvas-columns', system: 'campus', columns: { Credential: 'credential', Link: 'link' } }]
  const checks = await checkSystems({
    settings: {
      file: parseFileSettings({
        service: { environment: 'development' },
        systems: { campus: { type: 'canvas', url, token } },
        pipelines: {
          spring: {
            course: uuid,
            template: uuid,
            badgeTemplate: uuid,
            source: { system: 'campus', course },
            options: { publicLink: true },
            writeBack,
          },
        },
      }),
    },
    ledger: null,
    clock: systemClock,
  })
  return { checks, faults: checks.filter(({ ok }) => !ok), text: JSON.stringify(checks) }
}

test('a working Canvas is shown with its course and columns, and nothing is written to it', async () => {
  const site = await openSite()
  site.enroll('Ada')
  site.columns.push({ id: 1, title: 'Credential', cells: new Map() })
  const { checks, faults } = await runCheck(site)
  expect(faults).toEqual([])
  expect(checks.map((check) => `${labelOf(check)}: ${check.name}`)).toEqual([
    'system campus: system',
    'pipeline spring: system course',
    'pipeline spring: gradebook columns',
  ])
  expect(checks[1]).toMatchObject({ what: expect.stringMatching(/can be read \(number of learners: 1\)$/) })
  expect(checks[1]).not.toHaveProperty('notices')
  expect(checks[2]?.notices).toEqual([expect.stringMatching(/no Link yet/)])
  expect(site.requests.filter((request) => !request.startsWith('GET '))).toEqual([])
})

test('a refused token is reported once, without the token itself, and with what could not be checked', async () => {
  const { url } = await openSite()
  const { checks, text } = await runCheck({ url, token: 'planted-token' })
  expect(checks).toMatchObject([
    {
      name: 'system',
      ok: false,
      what: expect.stringContaining('401'),
      remedy: expect.stringMatching(/^Create a new token/),
      notices: [expect.stringContaining('spring')],
    },
  ])
  expect(text).not.toContain('planted-token')
})

test.each<[string, (site: CanvasSandbox) => void, RegExp, RegExp]>([
  ['is not there', (site) => site.refuse('courses/7', 404), /shows no course 7/, /sis_course_id/],
  ['has no requirements', (site) => void site.course.modules.splice(0), /no module with a/, /^Set /],
  [
    'hides its progress',
    (site) => site.refuse('bulk_user_progress', 403),
    /refuses .* access to the progress/,
    /“Grades - view all grades”/,
  ],
  ['hides its gradebook', (site) => site.refuse('columns', 401), /refuses .* access to the gradebook/, /“Grades/],
])('a course that %s is a separate fault with a remedy', async (_, spoil, what, remedy) => {
  const site = await openSite()
  site.enroll('Ada')
  spoil(site)
  const { faults } = await runCheck(site)
  expect(faults).toMatchObject([
    { pipeline: 'spring', what: expect.stringMatching(what), remedy: expect.stringMatching(remedy) },
  ])
})

test.each<[CanvasPermission, string, RegExp]>([
  ['read_course_content', '7', /“Course Content - view”/],
  ['view_all_grades', '7', /“Grades - view all grades”/],
  ['read_roster', '7', /“Users - view list”/],
  ['read_sis', 'sis_course_id:CS/101.11é', /“SIS Data - read”/],
])('a role without %s is a fault that names the permission', async (permission, course, remedy) => {
  const site = await openSite()
  site.enroll('Ada')
  site.course.forbidden.add(permission)
  const { faults } = await runCheck(site, course)
  expect(faults).toMatchObject([{ pipeline: 'spring', remedy: expect.stringMatching(remedy) }])
})

test('an account that is limited to a section is reported with how many learners it does not see', async () => {
  const site = await openSite()
  site.enroll('Ada')
  site.enroll('Byron', { section: 2 })
  site.course.section = 1
  expect((await runCheck(site)).checks[1]?.notices).toEqual([expect.stringMatching(/sees 1 of 2 learners.*section/)])
})

test('a concluded course is named, with the number of people who may have completed it', async () => {
  const site = await openSite()
  site.enroll('Ada')
  site.conclude()
  expect((await runCheck(site)).checks[1]).toMatchObject({
    what: expect.stringMatching(/learners: 0, concluded: 1\)$/),
    notices: [expect.stringMatching(/is concluded in Canvas/)],
  })
})
