// Reads courses, learners and completions in the formats that Canvas returns.

import { describe, expect, test } from 'vitest'
import type { FoundInCanvas } from '#src/lms/canvas/completed-learners.ts'
import { readProgress } from '#src/lms/canvas/progress.ts'
import { openSiteAndClient } from './open-site-and-client.ts'

const at = '2026-11-05T13:38:00Z'

async function listOf(found: AsyncIterable<FoundInCanvas>): Promise<FoundInCanvas[]> {
  const list: FoundInCanvas[] = []
  for await (const entry of found) list.push(entry)
  return list
}
const idsOf = (found: FoundInCanvas[]) =>
  found.map((entry) => (entry.kind === 'completed' ? entry.learner.id : entry.kind))

describe('a course', () => {
  test.each(['7', 'sis_course_id:CS/101.11é'])('is found as %s', async (code) => {
    const { canvas } = await openSiteAndClient()
    expect(await canvas.course(code)).toEqual({ id: '7', sisId: 'CS/101.11é', name: 'Fire & safety' })
  })

  test('that does not exist is null', async () => {
    const { canvas } = await openSiteAndClient()
    expect(await canvas.course('8')).toBeNull()
  })
})

describe('a learner', () => {
  test('has an id that keeps all its digits, and both names', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    // The largest id that Canvas may return; JavaScript would round it as a number.
    enroll('Ada', {
      id: '9223372036854775807',
      sortable_name: 'Lovelace, Ada Augusta',
      sis_user_id: 'S-1',
      login_id: 'ada',
    })
    expect(await canvas.learner('7', 'sis_user_id:S-1')).toEqual({
      id: '9223372036854775807',
      idnumber: 'S-1',
      username: 'ada',
      firstname: 'Ada Augusta',
      lastname: 'Lovelace',
      name: 'Ada Lovelace',
      email: 'ada@example.org',
    })
  })

  test('with a single name has only the full name, and nothing is guessed', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Plato', { name: 'Plato', sortable_name: 'Plato' })
    expect(await canvas.learner('7', id)).toMatchObject({ name: 'Plato', firstname: null, lastname: null })
  })
})

describe('progress', () => {
  test.each([
    ['in a course without requirements is not a completion', 0, 0, at, 'not-completed'],
    ['with open requirements and no time is not a completion', 2, 1, null, 'not-completed'],
    ['with all requirements met and a time is a completion', 2, 2, at, 'completed'],
    ['with all requirements met and no time is undated', 2, 2, null, 'undated'],
    ['with a time and open requirements is unsure', 2, 1, at, 'unsure'],
    ['with an invalid time is undated', 2, 2, 'soon', 'undated'],
  ])('%s', (_, requirement_count, requirement_completed_count, completed_at, kind) => {
    expect(readProgress({ requirement_count, requirement_completed_count, completed_at }).kind).toBe(kind)
  })
})

describe('learners who completed', () => {
  test('are found on every page, except known ones', async () => {
    const { canvas, enroll, complete } = await openSiteAndClient({ pageSize: 3 })
    const learners = Array.from({ length: 8 }, (_, n) => enroll(`L${n}`))
    for (const learner of learners.slice(1)) complete(learner, at)
    const known = new Set([learners[7]?.id ?? ''])
    const found = await listOf(canvas.completedLearners('7', known))
    expect(idsOf(found).toSorted()).toEqual(learners.slice(1, 7).map(({ id }) => id))
    expect(found[0]).toMatchObject({ at: new Date(at), learner: { email: 'l1@example.org' } })
  })

  test('are distinguished from those for whom Canvas skipped a module', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const progress = { metRequirements: 1, completed_at: at }
    enroll('Ada', { ...progress, states: ['completed', 'unlocked'] })
    const byron = enroll('Byron', { ...progress, states: ['completed', 'completed'] })
    expect(idsOf(await listOf(canvas.completedLearners('7', new Set())))).toEqual([byron.id])
    expect(await canvas.completion('7', byron.id)).toEqual({ kind: 'completed', at: new Date(at) })
  })

  test('do not include learners with open requirements for whom Canvas shows no module', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Ada', { metRequirements: 1, completed_at: at, states: [] })
    expect(await canvas.completion('7', id)).toEqual({ kind: 'not-completed' })
  })

  test('are found even if Canvas returns nothing about one of them', async () => {
    const { canvas, enroll, complete, refuse } = await openSiteAndClient()
    enroll('Ada', { metRequirements: 1, completed_at: at })
    const byron = enroll('Byron')
    complete(byron, at)
    refuse('modules', 403)
    expect(idsOf(await listOf(canvas.completedLearners('7', new Set())))).toEqual(['failed', byron.id])
  })

  test('without a date are reported by their id only', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Ada', { metRequirements: 2 })
    expect(await listOf(canvas.completedLearners('7', new Set()))).toEqual([{ kind: 'undated', learnerId: id }])
  })

  test('of a course without requirements cannot be determined, which is reported with a remedy', async () => {
    const { canvas, enroll, course } = await openSiteAndClient()
    const { id } = enroll('Ada')
    course.requirements = 0
    await expect(listOf(canvas.completedLearners('7', new Set()))).rejects.toThrow(/no module with a requirement.*set/)
    expect(await canvas.completion('7', id)).toEqual({ kind: 'no-progress' })
  })
})
