// Completions from Canvas: which hints are about a course, what each hint results in, and the columns of a learner's
// row.

import { describe, expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import type { CanvasSandbox } from '#sandboxes/canvas/open-canvas-sandbox.ts'
import { completionPipelinesOf } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { pollableCanvas } from '#src/extensions/lms/systems/canvas-completions.ts'
import type { Hint } from '#src/extensions/lms/systems/inbound-system.ts'
import type { PolledCourse } from '#src/extensions/lms/systems/polled-system.ts'
import { clientOf, openSite } from '#test/src/extensions/lms/canvas/open-site-and-client.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
// Late in the evening of the previous day in the configured time zone.
const at = '2026-11-05T03:38:00Z'

async function openCourse(
  code = 'sis_course_id:CS/101.11é',
  known?: CanvasSandbox,
): Promise<{ site: CanvasSandbox; course: PolledCourse }> {
  const site = known ?? (await openSite())
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: { campus: { type: 'canvas', url: site.url, token: site.token, timeZone: 'America/New_York' } },
    pipelines: {
      spring: { course: uuid, template: uuid, badgeTemplate: uuid, source: { system: 'campus', course: code } },
    },
  })
  const [pipeline] = completionPipelinesOf(file)
  const settings = file.systems.campus
  if (settings?.type !== 'canvas' || !pipeline) throw new Error('The configuration of the test has no Canvas.')
  const course = await pollableCanvas({ name: 'campus', settings, canvas: clientOf(site) }).course(pipeline)
  if (!course) throw new Error('The site has no course.')
  return { site, course }
}

const hint = (learner: Hint['learner']): Hint => ({ learner, course: '7', at: null, fields: {} })
const isUnknown = async () => false

describe('a hint', () => {
  test.each([
    ['7', true],
    ['CS/101.11é', true],
    ['sis_course_id:CS/101.11é', true],
    ['8', false],
  ])('for course %s is about course 7: %s', async (course, expected) => {
    expect((await openCourse()).course.isAbout({ course })).toBe(expected)
  })

  test('about a learner who completed results in a completion, on the local date', async () => {
    const { site, course } = await openCourse()
    const ada = site.enroll('Ada', { sis_user_id: 'S-1', login_id: 'ada' })
    site.complete(ada, at)
    const completion = {
      learner: ada.id,
      course: 'sis_course_id:CS/101.11é',
      completedAt: new Date(at),
      cells: {
        id: ada.id,
        idnumber: 'S-1',
        username: 'ada',
        firstname: 'Ada',
        lastname: 'Lovelace',
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        course: 'sis_course_id:CS/101.11é',
        coursename: 'Fire & safety',
        completed: '2026-11-04',
      },
    }
    for (const learner of [{ id: ada.id }, { idnumber: 'S-1' }])
      expect(await course.findOne(hint(learner), isUnknown)).toEqual({ completions: [completion], problems: [] })
  })

  test('that arrives before Canvas has calculated the progress finds no completion yet', async () => {
    const { site, course } = await openCourse()
    const ada = site.enroll('Ada')
    site.course.meet(ada, 1)
    const { id } = ada
    expect(await course.findOne(hint({ id }), isUnknown)).toEqual({ completions: [], problems: [] })
  })

  test('that contains no id of the learner is reported', async () => {
    const { course } = await openCourse()
    const { problems } = await course.findOne(hint({ id: 'ada', email: 'ada@example.org' }), isUnknown)
    expect(problems).toEqual([
      expect.objectContaining({ sentence: expect.stringMatching(/neither a Canvas id nor a SIS id/) }),
    ])
  })

  test('about a learner who left is reported, unless the completion is known', async () => {
    const { site, course } = await openCourse()
    const { id } = site.enroll('Ada', { enrollment: 'inactive' })
    const leftHint = hint({ id })
    expect((await course.findOne(leftHint, isUnknown)).problems).toEqual([
      expect.objectContaining({ sentence: expect.stringMatching(/nothing was issued/) }),
    ])
    expect((await course.findOne(leftHint, async (learner) => learner === id)).problems).toEqual([])
  })

  test('about a course without requirements is reported', async () => {
    const { site, course } = await openCourse()
    const { id } = site.enroll('Ada')
    for (const each of site.course.modules) each.items = []
    const { problems } = await course.findOne(hint({ id }), isUnknown)
    expect(problems).toEqual([
      expect.objectContaining({ sentence: expect.stringMatching(/no progress for the learner/) }),
    ])
  })

  test('leads to an error that is retried when Canvas limits the rate', async () => {
    const { site, course } = await openCourse()
    const { id } = site.enroll('Ada')
    site.throttle(1)
    await expect(course.findOne(hint({ id }), isUnknown)).rejects.toMatchObject({ failure: { kind: 'away' } })
  })
})

describe('a concluded course', () => {
  test('is reported, and those who completed it before are found at night and the first time', async () => {
    const { site, course } = await openCourse()
    const [ada] = [site.enroll('Ada'), site.enroll('Byron')]
    site.complete(ada, at)
    site.conclude()
    // A pipeline finds its course anew for each poll.
    const concluded = (await openCourse('7', site)).course
    expect(await concluded.findAll(new Set(), new Map())).toMatchObject({
      completions: [{ learner: ada.id, completedAt: new Date(at), cells: { email: 'ada@example.org' } }],
      problems: [{ sentence: expect.stringMatching(/is concluded in Canvas/) }],
    })
    expect((await concluded.findAll(new Set())).completions).toEqual([])
    expect((await course.findOne(hint({ id: ada.id }), isUnknown)).completions).toMatchObject([{ learner: ada.id }])
  })
})

test('an event about the Test Student leads to nothing, and to no question for an operator', async () => {
  const { site, course } = await openCourse()
  const { id } = site.enroll('Test', { isTestStudent: true, email: null })
  expect(await course.findOne(hint({ id }), isUnknown)).toEqual({ completions: [], problems: [] })
})

test('1,000 completions of which 500 are known take one call for each 100 students and one for each 50 new completions', async () => {
  const { site, course } = await openCourse()
  const ids = Array.from({ length: 1_000 }, (_, n) => {
    const learner = site.enroll(`L${n}`)
    site.complete(learner, at)
    return learner.id
  })
  const { completions } = await course.findAll(new Set(ids.slice(0, 500)))
  expect(completions).toHaveLength(500)
  const calls = new Map<string, number>()
  for (const request of site.requests) calls.set(request, (calls.get(request) ?? 0) + 1)
  expect(Object.fromEntries(calls)).toEqual({
    'GET courses/sis_course_id%3ACS%2F101%2E11%C3%A9': 1,
    'GET courses/7/bulk_user_progress': 10,
    'GET courses/7/modules': 1,
    'GET courses/7/users': 10,
  })
})
