// What `check` reports about a Canvas site.

import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { labelOf } from '#src/check/check-result.ts'
import { checkSystems } from '#src/check/check-systems.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { type CanvasSite, openCanvasSite } from '#test/support/canvas-site.ts'

const uuid = '00000000-0000-4000-8000-000000000001'

async function openSite(): Promise<CanvasSite> {
  const site = await openCanvasSite()
  onTestFinished(() => site.close())
  return site
}

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
    appOptions: { random: () => 0.5 },
  })
  return { checks, faults: checks.filter(({ ok }) => !ok), text: JSON.stringify(checks) }
}

test('a working Canvas is shown with its course, columns and clock, and nothing is written to it', async () => {
  const site = await openSite()
  site.enroll('Ada')
  site.columns.push({ id: 1, title: 'Credential', cells: new Map() })
  const { checks, faults } = await runCheck(site)
  expect(faults).toEqual([])
  expect(checks.map((check) => `${labelOf(check)}: ${check.name}`)).toEqual([
    'system campus: system',
    'pipeline spring: system course',
    'pipeline spring: gradebook columns',
    'system campus: system clock',
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

test.each<[string, (site: CanvasSite) => void, RegExp, RegExp]>([
  ['is not there', (site) => Object.assign(site.course, { id: 8 }), /shows no course 7/, /sis_course_id/],
  ['has no requirements', (site) => Object.assign(site.course, { requirements: 0 }), /no module with a/, /^Set /],
  [
    'hides its progress',
    (site) => site.refuse('bulk_user_progress', 403),
    /refuses .* access to the progress/,
    /permissions/,
  ],
  ['hides its gradebook', (site) => site.refuse('columns', 401), /refuses .* access to the gradebook/, /permissions/],
])('a course that %s is a separate fault with a remedy', async (_, spoil, what, remedy) => {
  const site = await openSite()
  site.enroll('Ada')
  spoil(site)
  const { faults } = await runCheck(site)
  expect(faults).toMatchObject([
    { pipeline: 'spring', what: expect.stringMatching(what), remedy: expect.stringMatching(remedy) },
  ])
})

test('an account that cannot see e-mail addresses is reported', async () => {
  const site = await openSite()
  const learner = site.enroll('Ada')
  delete learner.email
  const { checks } = await runCheck(site)
  expect(checks[1]?.notices).toEqual([expect.stringMatching(/view primary email address/)])
})
