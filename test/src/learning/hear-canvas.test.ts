// What is heard of a Canvas: which hints are about a course, what becomes of each, and which columns a learner's row has.

import { describe, expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import type { AskedCourse } from '#src/learning/asked-system.ts'
import { askableCanvas } from '#src/learning/hear-canvas.ts'
import { sourcesOf } from '#src/learning/open-learning.ts'
import type { Hint } from '#src/learning/read-delivery.ts'
import { clientOf } from '#test/src/canvas/connected.ts'
import { type CanvasSite, openCanvasSite } from '#test/support/canvas-site.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
// Late in the evening of the day before, where the course is.
const at = '2026-11-05T03:38:00Z'

async function openCourse(code = 'sis_course_id:CS/101.11é'): Promise<{ site: CanvasSite; course: AskedCourse }> {
  const site = await openCanvasSite()
  onTestFinished(() => site.close())
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: { campus: { type: 'canvas', url: site.url, token: site.token, timeZone: 'America/New_York' } },
    pipelines: {
      spring: { course: uuid, template: uuid, badgeTemplate: uuid, source: { system: 'campus', course: code } },
    },
  })
  const [pipeline] = sourcesOf(file)
  const settings = file.systems.campus
  if (settings?.type !== 'canvas' || !pipeline) throw new Error('The configuration of the test has no Canvas.')
  const course = await askableCanvas({ name: 'campus', settings, canvas: clientOf(site) }).course(pipeline)
  if (!course) throw new Error('The site has no course.')
  return { site, course }
}

const hint = (learner: Hint['learner']): Hint => ({ learner, course: '7', at: null, fields: {} })
const nobody = async () => false

describe('a hint', () => {
  test.each([
    ['7', true],
    ['CS/101.11é', true],
    ['sis_course_id:CS/101.11é', true],
    ['8', false],
  ])('of course %s is about course 7: %s', async (course, is) => {
    expect((await openCourse()).course.isAbout({ course })).toBe(is)
  })

  test('of somebody who completed is a completion, on the day it was there', async () => {
    const { site, course } = await openCourse()
    const ada = site.enrol('Ada', { sis_user_id: 'S-1', login_id: 'ada' })
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
      expect(await course.hearOne(hint(learner), nobody)).toEqual({ completions: [completion], problems: [] })
  })

  test('that comes before Canvas has reckoned is nothing yet', async () => {
    const { site, course } = await openCourse()
    const { id } = site.enrol('Ada', { met: 2 })
    expect(await course.hearOne(hint({ id }), nobody)).toEqual({ completions: [], problems: [] })
  })

  test('that names nobody by an id is told of', async () => {
    const { course } = await openCourse()
    const { problems } = await course.hearOne(hint({ id: 'ada', email: 'ada@example.org' }), nobody)
    expect(problems).toEqual([expect.stringMatching(/by its own id .* or by the SIS id/)])
  })

  test('of somebody who left is told of, unless the completion is known', async () => {
    const { site, course } = await openCourse()
    const { id } = site.enrol('Ada', { isStudent: false })
    const left = hint({ id })
    expect((await course.hearOne(left, nobody)).problems).toEqual([expect.stringMatching(/nobody was issued/)])
    expect((await course.hearOne(left, async (learner) => learner === id)).problems).toEqual([])
  })

  test('of a course without requirements is told of', async () => {
    const { site, course } = await openCourse()
    const { id } = site.enrol('Ada')
    site.course.requirements = 0
    const { problems } = await course.hearOne(hint({ id }), nobody)
    expect(problems).toEqual([expect.stringMatching(/no progress of the learner/)])
  })

  test('is not lost when Canvas asks for patience', async () => {
    const { site, course } = await openCourse()
    const { id } = site.enrol('Ada')
    site.throttle(1)
    await expect(course.hearOne(hint({ id }), nobody)).rejects.toMatchObject({ fault: 'away' })
  })
})

test('of those who met everything at no known time a person is told', async () => {
  const { site, course } = await openCourse()
  site.enrol('Ada', { met: 2 })
  expect(await course.hearAll(new Set())).toEqual({
    completions: [],
    problems: [expect.stringMatching(/modules page/)],
  })
})

test('1,000 completions of which 500 are known cost a call for each 100 students and one for each 50 who are new', async () => {
  const { site, course } = await openCourse()
  const ids = Array.from({ length: 1_000 }, (_, n) => {
    const learner = site.enrol(`L${n}`)
    site.complete(learner, at)
    return learner.id
  })
  const { completions } = await course.hearAll(new Set(ids.slice(0, 500)))
  expect(completions).toHaveLength(500)
  const calls = new Map<string, number>()
  for (const asked of site.asked) calls.set(asked, (calls.get(asked) ?? 0) + 1)
  expect(Object.fromEntries(calls)).toEqual({
    'GET courses/sis_course_id%3ACS%2F101%2E11%C3%A9': 1,
    'GET courses/7/bulk_user_progress': 10,
    'GET courses/7/users': 10,
  })
})
