// Reads courses, learners and completions in the formats that Canvas returns.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { FoundInCanvas } from '#src/extensions/lms/canvas/completed-learners.ts'
import type { Canvas } from '#src/extensions/lms/canvas/open-canvas.ts'
import { readProgress } from '#src/extensions/lms/canvas/progress.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'
import { clientOf, openSiteAndClient } from './open-site-and-client.ts'

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
    expect(await canvas.course(code)).toEqual({
      ...{ id: '7', sisId: 'CS/101.11é', name: 'Fire & safety' },
      ...{ learnerCount: 0, isConcluded: false },
    })
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
      learner: {
        id: '9223372036854775807',
        idnumber: 'S-1',
        username: 'ada',
        firstname: 'Ada Augusta',
        lastname: 'Lovelace',
        name: 'Ada Lovelace',
        email: 'ada@example.org',
      },
      isConcluded: false,
    })
  })

  test('with a single name has only the full name, and nothing is guessed', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Plato', { name: 'Plato', sortable_name: 'Plato' })
    expect(await canvas.learner('7', id)).toMatchObject({
      learner: { name: 'Plato', firstname: null, lastname: null },
    })
  })

  test.each(['1000', 'sis_user_id:S-1'])('whose enrollment is concluded is found as %s', async (ref) => {
    const { canvas, enroll } = await openSiteAndClient()
    enroll('Ada', { id: '1000', sis_user_id: 'S-1', enrollment: 'completed' })
    enroll('Byron', { sis_user_id: 'S-2', enrollment: 'completed' })
    expect(await canvas.learner('7', ref)).toMatchObject({ learner: { id: '1000' }, isConcluded: true })
  })
})

describe('progress', () => {
  test.each([
    ['in a course without requirements is not a completion', 0, 0, at, 'not-completed'],
    ['with open requirements and no time is not a completion', 2, 1, null, 'not-completed'],
    ['with all requirements met and a time is a completion', 2, 2, at, 'completed'],
    ['with all requirements met and no time is unsure', 2, 2, null, 'unsure'],
    ['with a time and open requirements is unsure', 2, 1, at, 'unsure'],
    ['with an invalid time is unsure', 2, 2, 'soon', 'unsure'],
  ])('%s', (_, requirement_count, requirement_completed_count, completed_at, kind) => {
    expect(readProgress({ requirement_count, requirement_completed_count, completed_at }).kind).toBe(kind)
  })
})

describe('learners who completed', () => {
  const everybody = (canvas: Canvas) => listOf(canvas.completedLearners('7', new Set()))

  test('are found on every page, except known ones', async () => {
    const { canvas, enroll, complete } = await openSiteAndClient({ pageSize: 3 })
    const learners = Array.from({ length: 8 }, (_, n) => enroll(`L${n}`))
    for (const learner of learners.slice(1)) complete(learner, at)
    const known = new Set([learners[7]?.id ?? ''])
    const found = await listOf(canvas.completedLearners('7', known))
    expect(idsOf(found).toSorted()).toEqual(learners.slice(1, 7).map(({ id }) => id))
    expect(found[0]).toMatchObject({ at: new Date(at), learner: { email: 'l1@example.org' } })
  })

  test('are found in smaller pages if Canvas needs too long for a full one', async () => {
    const { canvas, enroll, complete, slowDown } = await openSiteAndClient()
    const learners = Array.from({ length: 50 }, (_, n) => enroll(`L${n}`))
    for (const learner of learners) complete(learner, at)
    slowDown(20)
    expect(idsOf(await everybody(canvas))).toHaveLength(50)
  })

  test('have ids that are numbers in the list of progress, with all their digits', async () => {
    const { canvas, enroll, complete } = await openSiteAndClient()
    complete(enroll('Ada', { id: '21070000000000123' }), at)
    complete(enroll('Byron', { id: '21070000000000124' }), at)
    expect(idsOf(await everybody(canvas))).toEqual(['21070000000000123', '21070000000000124'])
  })

  test('of a module in which one item is enough are found, but not if a module is still open', async () => {
    const { canvas, course, enroll } = await openSiteAndClient()
    course.addModule({
      items: [
        { id: 31, required: true },
        { id: 32, required: true },
      ],
      needsOne: true,
    })
    const [ada, byron] = [enroll('Ada'), enroll('Byron')]
    course.meet(ada, 3)
    course.meet(byron, 1)
    course.evaluate(ada, new Date(at))
    course.evaluate(byron, new Date(at), course.modules.slice(0, 1))
    expect(course.progressOf(byron).completed_at).not.toBeNull()
    expect(await everybody(canvas)).toMatchObject([{ learner: { id: ada.id }, at: new Date(at) }])
  })

  test('keep their time if they open a module without a requirement later, also in a large course', async () => {
    const { canvas, course, enroll, complete } = await openSiteAndClient()
    const items = Array.from({ length: 60 }, (_, n) => ({ id: 900 + n, required: false }))
    course.addModule({ items: items.map((item, n) => ({ ...item, required: n === 59 })) })
    course.addModule({ items })
    const ada = enroll('Ada')
    complete(ada, at)
    course.evaluate(ada, new Date('2027-01-01T00:00:00Z'))
    expect(course.progressOf(ada).completed_at).toBe('2027-01-01T00:00:00.000Z')
    expect(await everybody(canvas)).toMatchObject([{ learner: { id: ada.id }, at: new Date(at) }])
  })

  test('do not wait for a module that opens at a later date and requires nothing', async () => {
    const { canvas, course, enroll, complete } = await openSiteAndClient()
    course.addModule({ items: [], unlockAt: new Date('2999-01-01T00:00:00Z') })
    const ada = enroll('Ada')
    complete(ada, at)
    expect(await everybody(canvas)).toMatchObject([{ learner: { id: ada.id }, at: new Date(at) }])
  })

  test('wait for a module that opens at a later date and requires something', async () => {
    const { canvas, course, enroll } = await openSiteAndClient()
    course.addModule({ unlockAt: new Date('2999-01-01T00:00:00Z') })
    const ada = enroll('Ada')
    course.meet(ada, 2)
    course.evaluate(ada, new Date(at), course.modules.slice(0, 2))
    expect(await everybody(canvas)).toEqual([])
  })

  test('at a time that Canvas has not calculated yet are settled by reading their modules', async () => {
    const { canvas, course, enroll } = await openSiteAndClient()
    const ada = enroll('Ada')
    course.meet(ada)
    expect(course.progressOf(ada)).toMatchObject({ requirement_completed_count: 2, completed_at: null })
    expect(await everybody(canvas)).toMatchObject([{ kind: 'completed', learner: { id: ada.id } }])
  })

  test('do not include learners with open requirements for whom Canvas shows no module', async () => {
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    const progress = { requirement_count: 2, requirement_completed_count: 1, completed_at: at }
    server.on('bulk_user_progress', json(200, [{ id: 3, progress }]))
    server.on('student_id=3', json(200, []))
    server.on('modules', json(200, [{ id: 1, items: [{ completion_requirement: { type: 'must_view' } }] }]))
    expect(await everybody(clientOf({ url: server.url, token: 't' }))).toEqual([])
    expect(server.requests('student_id=3')).toHaveLength(1)
  })

  test('are found even if Canvas returns nothing about one of them', async () => {
    const { canvas, course, enroll, complete, refuse } = await openSiteAndClient()
    const ada = enroll('Ada')
    course.addModule({ items: [] })
    complete(ada, at)
    refuse('modules', 403)
    expect(await everybody(canvas)).toMatchObject([{ kind: 'failed', learnerId: ada.id }])
  })

  test('of a course without requirements cannot be determined, which is reported with a remedy', async () => {
    const { canvas, enroll, course } = await openSiteAndClient()
    const { id } = enroll('Ada')
    for (const each of course.modules) each.items = []
    await expect(everybody(canvas)).rejects.toThrow(/no module with a requirement.*set/)
    expect(await canvas.completion('7', id, false)).toEqual({ kind: 'no-progress' })
  })
})

describe('people whose enrollment is concluded', () => {
  const withPast = (canvas: Canvas, latest = new Map<string, Date>()) =>
    listOf(canvas.completedLearners('7', new Set(), latest))

  test('are found when the past is asked for, with one call for each who is not known', async () => {
    const { canvas, enroll, complete, conclude, requests } = await openSiteAndClient()
    const [ada, byron] = [enroll('Ada'), enroll('Byron'), enroll('Carl')]
    for (const learner of [ada, byron]) complete(learner, at)
    conclude()
    expect(await listOf(canvas.completedLearners('7', new Set()))).toEqual([])
    requests.length = 0
    const knownAt = new Date('2026-01-02T00:00:00Z')
    expect(await withPast(canvas, new Map([[byron.id, knownAt]]))).toMatchObject([
      { learner: { id: ada.id, email: 'ada@example.org' }, at: new Date(at) },
      { learner: { id: byron.id }, at: knownAt },
    ])
    expect(requests.filter((request) => request.endsWith('/progress'))).toHaveLength(2)
  })

  test('are reported by their id if Canvas does not say when they met the requirements', async () => {
    const { canvas, course, enroll } = await openSiteAndClient()
    const ada = enroll('Ada', { enrollment: 'completed' })
    course.meet(ada)
    expect(await withPast(canvas)).toEqual([{ kind: 'undecided', learnerId: ada.id }])
  })
})
