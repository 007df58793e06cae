// One course in trouble, or one that is nobody's: its events wait or are put aside, and those of every other course go on.

import { expect, test } from 'vitest'
import { judge } from '#jobs/judge.ts'
import { openLearning } from '#src/learning/open-learning.ts'
import { type Campus, completedHook, openCampus } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

const named = (courses: Record<string, string>) => (first: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(courses).map(([pipeline, course]) => [
      pipeline,
      { ...first, source: { system: 'campus', course }, writeBack: [] },
    ]),
  )
const rows = async <Row extends object>({ world }: Campus, sql: string) =>
  (await world.app.database.query<Row>(sql)).rows
const deliveries = (campus: Campus) => rows(campus, 'SELECT state, problem FROM delivery ORDER BY id')
const heard = async (campus: Campus) =>
  (await rows<{ pipeline: string }>(campus, 'SELECT pipeline FROM completion ORDER BY id')).map((row) => row.pipeline)
const judged = { state: 'judged', problem: null }
const calls = ({ lms }: Campus) => lms.journal().filter(({ kind }) => kind === 'answered').length

/** A learner who completed the course. */
async function completedIn(campus: Campus, course: number, firstname: string): Promise<number> {
  const learner = campus.enrol(firstname)
  campus.lms.enrol(learner, course)
  await campus.lms.complete(learner, course)
  return learner
}

describeWithDatabase('events of a course', () => {
  test('that Moodle has twice, or not at all, wait for it alone, are shown, and are judged once it is mended', async () => {
    const pipelines = named({ autumn: 'TWICE-1', winter: 'ABSENT-1' })
    await using campus = await openCampus({ idle: true, pipelines })
    const { app } = campus.world
    const [twice, other] = ['One', 'Two'].map((name) =>
      campus.lms.addCourse({ idnumber: 'TWICE-1', shortname: name, fullname: name }),
    )
    if (!twice || !other) throw new Error('Two were added.')
    const ada = await completedIn(campus, twice.id, 'ada')
    const bob = await completedIn(campus, campus.course, 'bob')
    await campus.post(completedHook(bob, 0, { courseid: 'ABSENT-1' }))
    await campus.post(completedHook(ada, twice.id))
    await campus.post(completedHook(bob, campus.course))
    await judge(app, { system: 'hooks' })
    const absent = { state: 'new', problem: expect.stringMatching(/^Pipeline winter: there is no course/) }
    const unclear = { state: 'new', problem: expect.stringMatching(/^Pipeline autumn: .*severalmatch/) }
    expect(await deliveries(campus)).toEqual([absent, unclear, judged])
    expect(await heard(campus)).toEqual(['spring'])
    const shown = await campus.say('events')
    expect([shown.code, shown.stdout]).toEqual([
      3,
      expect.stringMatching(/^hooks: 2 events to be judged\. Pipeline autumn/m),
    ])

    const before = calls(campus)
    await judge(app, { system: 'hooks' })
    expect(calls(campus)).toBe(before)
    campus.lms.removeCourse(other.id)
    expect(await app.ledger.deliveries.judgeAgain('hooks')).toBe(2)
    await judge(app, { system: 'hooks' })
    expect(await deliveries(campus)).toEqual([absent, judged, judged])
    expect(await heard(campus)).toEqual(['spring', 'autumn'])
  })

  test('that no pipeline names are kept and shown, trouble nobody, and are judged when one does', async () => {
    await using campus = await openCampus({ idle: true })
    const { app, settings } = campus.world
    const { id } = campus.lms.addCourse({ idnumber: 'LATE-1', shortname: 'LATE', fullname: 'Late' })
    const ada = await completedIn(campus, id, 'ada')
    await campus.post(completedHook(ada, id))
    await judge(app, { system: 'hooks' })
    expect(await deliveries(campus)).toEqual([{ state: 'unclaimed', problem: null }])
    const shown = await campus.say('events')
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^hooks: 1 event of courses that no pipe/m)])

    const { spring } = settings.file.pipelines
    if (!spring) throw new Error('The world has a pipeline.')
    const late = { ...spring, source: { system: 'campus', course: 'LATE-1' }, writeBack: [] }
    const learning = openLearning(
      { ...settings.file, pipelines: { spring, late } },
      { send: app.wire.send, clock: app.clock, random: () => 0.5, gateFor: () => (work) => work() },
    )
    await campus.say('events', 'replay', '--system', 'hooks')
    await judge({ ...app, learning }, { system: 'hooks' })
    expect(await deliveries(campus)).toEqual([judged])
    expect(await heard(campus)).toEqual(['late'])
  })
})
