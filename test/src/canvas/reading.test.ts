// Courses, learners and completions, as a Canvas tells them.

import { describe, expect, test } from 'vitest'
import type { FoundCompletion } from '#src/canvas/completed-learners.ts'
import { judgeProgress } from '#src/canvas/progress.ts'
import { openSiteAndClient } from './connected.ts'

const at = '2026-11-05T13:38:00Z'

async function all(found: AsyncIterable<FoundCompletion>): Promise<FoundCompletion[]> {
  const list: FoundCompletion[] = []
  for await (const each of found) list.push(each)
  return list
}
const idsOf = (found: FoundCompletion[]) =>
  found.map((each) => (each.kind === 'completed' ? each.learner.id : each.kind))

describe('a course', () => {
  test.each(['7', 'sis_course_id:CS/101.11é'])('is found as %s', async (code) => {
    const { canvas } = await openSiteAndClient()
    expect(await canvas.course(code)).toEqual({ id: '7', sisId: 'CS/101.11é', name: 'Fire & safety' })
  })

  test('that is not there is null', async () => {
    const { canvas } = await openSiteAndClient()
    expect(await canvas.course('8')).toBeNull()
  })
})

describe('a learner', () => {
  test('has a number that keeps all its digits, and both names', async () => {
    const { canvas, enrol } = await openSiteAndClient()
    // The largest number that a Canvas may give; JavaScript would make another one of it.
    enrol('Ada', {
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

  test('with one name only has it in full, and nothing is guessed', async () => {
    const { canvas, enrol } = await openSiteAndClient()
    const { id } = enrol('Plato', { name: 'Plato', sortable_name: 'Plato' })
    expect(await canvas.learner('7', id)).toMatchObject({ name: 'Plato', firstname: null, lastname: null })
  })
})

describe('a progress', () => {
  test.each([
    ['of a course without requirements is none', 0, 0, at, 'not-completed'],
    ['without a time is none', 2, 1, null, 'not-completed'],
    ['with all that is needed and a time is a completion', 2, 2, at, 'completed'],
    ['with all that is needed and no time has no date', 2, 2, null, 'undated'],
    ['with a time and less than is needed is unsure', 2, 1, at, 'unsure'],
    ['with a time that is none has no date', 2, 2, 'soon', 'undated'],
  ])('%s', (_, requirement_count, requirement_completed_count, completed_at, kind) => {
    expect(judgeProgress({ requirement_count, requirement_completed_count, completed_at }).kind).toBe(kind)
  })
})

describe('those who completed', () => {
  test('are found on every page, but for whoever is known', async () => {
    const { canvas, enrol, complete } = await openSiteAndClient({ pageSize: 3 })
    const learners = Array.from({ length: 8 }, (_, n) => enrol(`L${n}`))
    for (const learner of learners.slice(1)) complete(learner, at)
    const known = new Set([learners[7]?.id ?? ''])
    const found = await all(canvas.completedLearners('7', known))
    expect(idsOf(found).toSorted()).toEqual(learners.slice(1, 7).map(({ id }) => id))
    expect(found[0]).toMatchObject({ at: new Date(at), learner: { email: 'l1@example.org' } })
  })

  test('are told from those of whom Canvas has passed over a module', async () => {
    const { canvas, enrol } = await openSiteAndClient()
    const early = { met: 1, completed_at: at }
    enrol('Ada', { ...early, states: ['completed', 'unlocked'] })
    const enough = enrol('Byron', { ...early, states: ['completed', 'completed'] })
    expect(idsOf(await all(canvas.completedLearners('7', new Set())))).toEqual([enough.id])
    expect(await canvas.completion('7', enough.id)).toEqual({ kind: 'completed', at: new Date(at) })
  })

  test('are not those who have requirements left and are shown no module', async () => {
    const { canvas, enrol } = await openSiteAndClient()
    const { id } = enrol('Ada', { met: 1, completed_at: at, states: [] })
    expect(await canvas.completion('7', id)).toEqual({ kind: 'not-completed' })
  })

  test('are found though Canvas says nothing about one of them', async () => {
    const { canvas, enrol, complete, refuse } = await openSiteAndClient()
    enrol('Ada', { met: 1, completed_at: at })
    const byron = enrol('Byron')
    complete(byron, at)
    refuse('modules', 403)
    expect(idsOf(await all(canvas.completedLearners('7', new Set())))).toEqual(['failed', byron.id])
  })

  test('without a date are told of, and nobody is named', async () => {
    const { canvas, enrol } = await openSiteAndClient()
    enrol('Ada', { met: 2 })
    expect(await all(canvas.completedLearners('7', new Set()))).toEqual([{ kind: 'undated' }])
  })

  test('of a course without requirements there are none, in a sentence that says what to do', async () => {
    const { canvas, enrol, course } = await openSiteAndClient()
    const { id } = enrol('Ada')
    course.requirements = 0
    await expect(all(canvas.completedLearners('7', new Set()))).rejects.toThrow(/no module with a requirement.*set/)
    expect(await canvas.completion('7', id)).toEqual({ kind: 'no-progress' })
  })
})
