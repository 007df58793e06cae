// What `check` tells of a Canvas.

import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { labelOf } from '#src/check/check.ts'
import { checkSystems } from '#src/check/check-systems.ts'
import { systemClock } from '#src/time/clock.ts'
import { type CanvasSite, openCanvasSite } from '#test/support/canvas-site.ts'

const uuid = '00000000-0000-4000-8000-000000000001'

async function openSite(): Promise<CanvasSite> {
  const site = await openCanvasSite()
  onTestFinished(() => site.close())
  return site
}

async function look({ url, token }: { url: string; token: string }, course = '7') {
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
            writeBack,
          },
        },
      }),
    },
    ledger: null,
    clock: systemClock,
    around: { random: () => 0.5 },
  })
  return { checks, faults: checks.filter(({ ok }) => !ok), text: JSON.stringify(checks) }
}

test('a Canvas that is well is told of with its course, its columns and its clock, and is written nothing', async () => {
  const site = await openSite()
  site.enrol('Ada')
  site.columns.push({ id: 1, title: 'Credential', cells: new Map() })
  const { checks, faults } = await look(site)
  expect(faults).toEqual([])
  expect(checks.map((check) => `${labelOf(check)}: ${check.name}`)).toEqual([
    'system campus: system',
    'pipeline spring: system course',
    'pipeline spring: gradebook columns',
    'system campus: system clock',
  ])
  expect(checks[1]).toMatchObject({ what: expect.stringMatching(/can be asked about \(1\)$/) })
  expect(checks[1]).not.toHaveProperty('notices')
  expect(checks[2]?.notices).toEqual([expect.stringMatching(/no Link yet/)])
  expect(site.asked.filter((asked) => !asked.startsWith('GET '))).toEqual([])
})

test('a token that is refused is told of once, without the token, and with what was not asked', async () => {
  const { url } = await openSite()
  const { checks, text } = await look({ url, token: 'planted-token' })
  expect(checks).toMatchObject([
    {
      name: 'system',
      ok: false,
      what: expect.stringContaining('401'),
      remedy: expect.stringMatching(/^Make a new one/),
      notices: [expect.stringContaining('spring')],
    },
  ])
  expect(text).not.toContain('planted-token')
})

test.each<[string, (site: CanvasSite) => void, RegExp, RegExp]>([
  ['is not there', (site) => Object.assign(site.course, { id: 8 }), /shows no course 7/, /sis_course_id/],
  ['has no requirements', (site) => Object.assign(site.course, { requirements: 0 }), /no module with a/, /^Set /],
  ['may not be looked into', (site) => site.refuse('bulk_user_progress', 403), /refuses the progress/, /permissions/],
  ['hides its gradebook', (site) => site.refuse('columns', 401), /refuses the gradebook/, /permissions/],
])('a course that %s is a fault of its own, with what to do', async (_, spoil, what, remedy) => {
  const site = await openSite()
  site.enrol('Ada')
  spoil(site)
  const { faults } = await look(site)
  expect(faults).toMatchObject([
    { pipeline: 'spring', what: expect.stringMatching(what), remedy: expect.stringMatching(remedy) },
  ])
})

test('an account that is shown no e-mail address is told so', async () => {
  const site = await openSite()
  const learner = site.enrol('Ada')
  delete learner.email
  const { checks } = await look(site)
  expect(checks[1]?.notices).toEqual([expect.stringMatching(/view primary email address/)])
})
