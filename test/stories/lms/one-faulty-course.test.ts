// One course with a fault or without a pipeline: its events wait or are set aside, and events of other courses are
// processed.

import { expect, test } from 'vitest'
import { processEvents } from '#jobs/lms/process-events.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { type Campus, completedHook, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'

const pipelinesOf = (courses: Record<string, string>) => (first: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(courses).map(([pipeline, course]) => [
      pipeline,
      { ...first, source: { system: 'campus', course }, writeBack: [] },
    ]),
  )
const rows = async <Row extends object>({ world }: Campus, sql: string) =>
  (await world.app.database.query<Row>(sql)).rows
const deliveries = (campus: Campus) => rows(campus, 'SELECT state, problem FROM inbound_event ORDER BY id')
const pipelinesOfCompletions = async (campus: Campus) =>
  (await rows<{ pipeline: string }>(campus, 'SELECT pipeline FROM completion ORDER BY id')).map((row) => row.pipeline)
const processed = { state: 'processed', problem: null }
const calls = ({ lms }: Campus) => lms.journal().filter(({ kind }) => kind === 'answered').length

/** Creates a learner who completed the course. */
async function completedIn(campus: Campus, course: number, firstname: string): Promise<number> {
  const learner = campus.enroll(firstname)
  campus.lms.enroll(learner, course)
  await campus.lms.complete(learner, course)
  return learner
}

describeWithDatabase('events of a course', () => {
  test('that is missing or duplicated in Moodle wait without blocking others, are shown, and are processed once it is fixed', async () => {
    const pipelines = pipelinesOf({ autumn: 'TWICE-1', winter: 'ABSENT-1' })
    const log = openRecordedLog()
    await using campus = await openCampus({ idle: true, pipelines, appOptions: { log } })
    const { app } = campus.world
    const [firstCourse, secondCourse] = ['One', 'Two'].map((name) =>
      campus.lms.addCourse({ idnumber: 'TWICE-1', shortname: name, fullname: name }),
    )
    if (!firstCourse || !secondCourse) throw new Error('The sandbox did not add both courses.')
    const ada = await completedIn(campus, firstCourse.id, 'ada')
    const bob = await completedIn(campus, campus.course, 'bob')
    await campus.post(completedHook(bob, 0, { courseid: 'ABSENT-1' }))
    await campus.post(completedHook(ada, firstCourse.id))
    await campus.post(completedHook(bob, campus.course))
    await processEvents(app, { system: 'hooks' })
    const absentCourse = {
      state: 'new',
      problem: expect.stringMatching(/^Pipeline winter: campus shows no course ABSENT-1/),
    }
    const ambiguousCourse = { state: 'new', problem: expect.stringMatching(/^Pipeline autumn: .*severalcourses/) }
    expect(await deliveries(campus)).toEqual([absentCourse, ambiguousCourse, processed])
    expect(await pipelinesOfCompletions(campus)).toEqual(['spring'])
    expect(log.fieldsOf('inbound_event.held')).toEqual([{ system: 'hooks', count: 2 }])
    const output = await campus.runCli('events')
    expect([output.code, output.stdout]).toEqual([
      3,
      expect.stringMatching(/^hooks: 2 events to be processed\. Pipeline autumn/m),
    ])

    const callsBefore = calls(campus)
    await processEvents(app, { system: 'hooks' })
    expect(calls(campus)).toBe(callsBefore)
    campus.lms.removeCourse(secondCourse.id)
    expect(await app.ledger.inboundEvents.processAgain('hooks')).toBe(2)
    await processEvents(app, { system: 'hooks' })
    expect(await deliveries(campus)).toEqual([absentCourse, processed, processed])
    expect(await pipelinesOfCompletions(campus)).toEqual(['spring', 'autumn'])
  })

  test('that no pipeline names are kept and shown, block nothing, and are processed when a pipeline names the course', async () => {
    await using campus = await openCampus({ idle: true })
    const { app, settings } = campus.world
    const { id } = campus.lms.addCourse({ idnumber: 'LATE-1', shortname: 'LATE', fullname: 'Late' })
    const ada = await completedIn(campus, id, 'ada')
    await campus.post(completedHook(ada, id))
    await processEvents(app, { system: 'hooks' })
    expect(await deliveries(campus)).toEqual([{ state: 'unclaimed', problem: null }])
    const output = await campus.runCli('events')
    expect([output.code, output.stdout]).toEqual([
      0,
      expect.stringMatching(/^hooks: 1 event about courses that no pipe/m),
    ])

    const { spring } = settings.file.pipelines
    if (!spring) throw new Error('The configuration has no pipeline spring.')
    const late = { ...spring, source: { system: 'campus', course: 'LATE-1' }, writeBack: [] }
    const learning = openLearningSystems(
      { ...settings.file, pipelines: { spring, late } },
      { send: app.wire.send, clock: app.clock, gateFor: () => (work) => work() },
    )
    await campus.runCli('events', 'replay', '--system', 'hooks')
    await processEvents({ ...app, learning }, { system: 'hooks' })
    expect(await deliveries(campus)).toEqual([processed])
    expect(await pipelinesOfCompletions(campus)).toEqual(['late'])
  })
})
