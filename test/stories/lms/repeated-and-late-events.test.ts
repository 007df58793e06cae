// Repeated, late and unusual events of learning systems: no one gets two credentials, and no one is missed.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Campus, completedHook, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

const familyEmail = 'family@example.org'

const rows = async <Row extends object>({ world }: Campus, sql: string) =>
  (await world.app.database.query<Row>(sql)).rows
const polledAtMs = async (campus: Campus) => {
  const [first] = await rows<{ at: Date | null }>(campus, 'SELECT polled_at AS at FROM learning_system')
  return first?.at?.getTime() ?? 0
}
/** Waits until two more polls have ended, because the first of them may have begun before this call. */
async function untilPolledTwice(campus: Campus): Promise<void> {
  const before = await polledAtMs(campus)
  await expect.poll(() => polledAtMs(campus), completionWait).toBeGreaterThan(before)
  const middle = await polledAtMs(campus)
  await expect.poll(() => polledAtMs(campus), completionWait).toBeGreaterThan(middle)
}

const frequentPolls = { every: '200ms', moodle: { sweep: '200ms' } } as const

describeWithDatabase('completions that a Moodle site reports', () => {
  test('result in a second credential if a learner completes again after renewAfter', async () => {
    await using campus = await openCampus({ ...frequentPolls, renewAfter: '180d' })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course, daysAgo(400))
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    await campus.lms.recomplete(ada, campus.course, daysAgo(1))
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued', 'issued'])
    await untilPolledTwice(campus)
    expect(campus.world.sandbox.requests()).toHaveLength(2)
  })

  test('may be reported by an event before Moodle has calculated them, and the next poll finds them', async () => {
    await using campus = await openCampus({ every: '300ms' })
    const ada = campus.enroll('ada')
    expect((await campus.post(completedHook(ada, campus.course))).status).toBe(200)
    await expect
      .poll(() => rows(campus, `SELECT FROM inbound_event WHERE state = 'processed'`), completionWait)
      .toHaveLength(1)
    expect(await campus.states()).toEqual([])
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
  })

  test('of a learner without an e-mail address wait until it is added in Moodle', async () => {
    await using campus = await openCampus(frequentPolls)
    const ada = campus.enroll('ada', { email: '', username: 'ada' })
    await campus.lms.complete(ada, campus.course)
    await expect
      .poll(() => rows(campus, `SELECT FROM run_row WHERE outcome = 'invalid'`), completionWait)
      .toHaveLength(1)
    await untilPolledTwice(campus)
    // The same data is refused once, however often it arrives.
    expect(await rows(campus, 'SELECT FROM run')).toHaveLength(1)
    campus.lms.change(ada, { email: 'ada@example.org' })
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
  })

  test('result in a credential if the account was suspended in the meantime, but not if the enrollment was', async () => {
    await using campus = await openCampus({ ...frequentPolls, idle: true })
    const [ada, byron] = [campus.enroll('ada'), campus.enroll('byron')]
    for (const learner of [ada, byron]) await campus.lms.complete(learner, campus.course)
    campus.lms.suspend(ada)
    // Neither the list of active enrollments nor the status call returns a suspended enrollment.
    campus.lms.unenroll(byron, campus.course)
    await campus.startWorker()
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    await untilPolledTwice(campus)
    expect(await campus.states()).toEqual(['issued'])
    expect(await campus.profileOf(byron)).toEqual({})
  })

  test('of two learners with one e-mail address are reported, and neither is chosen, if they arrive together', async () => {
    await using campus = await openCampus({ ...frequentPolls, idle: true })
    const family = (username: string) => campus.enroll(username, { email: familyEmail, username })
    const learners = [family('ada'), family('byron')]
    for (const learner of learners) await campus.lms.complete(learner, campus.course)
    await campus.startWorker()
    await expect.poll(() => rows(campus, 'SELECT FROM run_row'), completionWait).toHaveLength(2)
    await untilPolledTwice(campus)
    const outcomes = await rows(campus, `SELECT outcome, violations->0->>'rule' AS rule FROM run_row`)
    expect(outcomes).toEqual(learners.map(() => ({ outcome: 'invalid', rule: 'identity_conflict' })))
    expect(campus.world.sandbox.requests()).toEqual([])
    expect((await campus.runCli('status')).stdout).toContain('2 invalid')
  })

  test('of one course result in a credential from each of two pipelines that issue different courses', async () => {
    await using campus = await openCampus({
      ...frequentPolls,
      pipelines: (first, { courses: [, safety] }) => ({
        safety: {
          ...first,
          course: safety?.uuid,
          template: safety?.templateUuid,
          badgeTemplate: safety?.badgeTemplateUuid,
          writeBack: [],
        },
      }),
    })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued', 'issued'])
    await untilPolledTwice(campus)
    const { sandbox } = campus.world
    expect(sandbox.requests().map(({ course }) => course)).toHaveLength(2)
    expect(new Set(sandbox.requests().map(({ course }) => course))).toEqual(
      new Set(sandbox.courses.slice(0, 2).map(({ uuid }) => uuid)),
    )
    // The pipeline that writes the profile delivers its own credential.
    const ownRequest = sandbox.requests().find(({ course }) => course === sandbox.courses[0]?.uuid)
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credid: ownRequest?.credentialId })
  })

  test('of one course result in one credential if two pipelines issue the same course', async () => {
    await using campus = await openCampus({
      ...frequentPolls,
      pipelines: (first) => ({ autumn: { ...first, writeBack: [] } }),
    })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    const outcomes = () => rows(campus, `SELECT outcome FROM run_row JOIN run ON run.id = run_id ORDER BY outcome`)
    await expect.poll(outcomes, completionWait).toEqual([{ outcome: 'accepted' }, { outcome: 'skipped' }])
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })

  test('create no files except for rows that were not accepted', async () => {
    await using campus = await openCampus(frequentPolls)
    const files = () => readdir(join(campus.world.folder, 'outbox')).catch(() => [])
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    expect(await files()).toEqual([])
    await campus.lms.complete(campus.enroll('nobody', { email: '', username: 'nobody' }), campus.course)
    const fileNames = async () => (await files()).map((name) => name.replace(/\.[0-9a-f]{8}\./, '.')).toSorted()
    await expect.poll(fileNames, completionWait).toEqual(['campus.invalid.csv', 'campus.summary.txt'])
  })
})

describeWithDatabase('a run of completions refused because of the configuration', () => {
  test('is read again when a worker starts with a corrected configuration', async () => {
    await using campus = await openCampus({ every: '300ms', idle: true })
    const ada = campus.enroll('ada')
    const { ledger } = campus.world.app
    const cells = { email: 'ada@example.org', firstname: 'ada', lastname: 'Lovelace' }
    const pipeline = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    await ledger.completions.ingest(
      pipeline,
      [{ learner: String(ada), course: 'FIRE-1', completedAt: daysAgo(1), cells }],
      'poll',
    )
    const run = await ledger.completions.createRun('spring')
    await ledger.runs.refuse(run ?? '', 'The course is not known.')
    await campus.startWorker()
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
  })
})

describeWithDatabase('the record of completions', () => {
  const pipeline = { system: 'campus', pipeline: 'spring', renewAfterMs: 180 * dayMs }
  const ingest = ({ world }: Campus, days: number) =>
    world.app.ledger.completions.ingest(
      pipeline,
      [{ learner: '3', course: 'FIRE-1', completedAt: daysAgo(days), cells: { email: 'ada@example.org' } }],
      'poll',
    )

  test('is updated by one worker at a time, even if many report one completion concurrently with different times', async () => {
    await using campus = await openCampus({ idle: true })
    const { database } = campus.world.app
    // The lock makes all four wait until the last one has started.
    const gate = await database.session()
    await gate.query('BEGIN')
    await gate.query('LOCK TABLE completion IN EXCLUSIVE MODE')
    const ingestions = Promise.all([10, 11, 12, 13].map((days) => ingest(campus, days)))
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await database.query(waiting)).rowCount, completionWait).toBe(4)
    await gate.query('COMMIT')
    await gate.release()
    expect((await ingestions).filter(({ fresh }) => fresh === 1)).toHaveLength(1)
  })
})
