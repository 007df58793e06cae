// What learning systems tell, told strangely: nobody is issued twice, and nobody is left out.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Campus, completedHook, openCampus, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'
import { timesIssued } from './support/world.ts'

const dayMs = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * dayMs)

const email = 'family@example.org'

const rows = async <Row extends object>({ world }: Campus, sql: string) =>
  (await world.app.database.query<Row>(sql)).rows
const polls = async (campus: Campus) => {
  const [first] = await rows<{ at: Date | null }>(campus, 'SELECT polled_at AS at FROM learning_system')
  return first?.at?.getTime() ?? 0
}
/** Everybody was asked about after this moment. */
async function askedAgain(campus: Campus): Promise<void> {
  const before = await polls(campus)
  await expect.poll(() => polls(campus), soon).toBeGreaterThan(before)
  const middle = await polls(campus)
  await expect.poll(() => polls(campus), soon).toBeGreaterThan(middle)
}

const busy = { every: '200ms', moodle: { sweep: '200ms' } } as const

describeWithDatabase('completions that a Moodle tells', () => {
  test('are issued again when a learner completes anew after renewAfter', async () => {
    await using campus = await openCampus({ ...busy, renewAfter: '180d' })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course, ago(400))
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    await campus.lms.recomplete(ada, campus.course, ago(1))
    await expect.poll(() => campus.states(), soon).toEqual(['issued', 'issued'])
    await askedAgain(campus)
    expect(campus.world.sandbox.requests()).toHaveLength(2)
  })

  test('are not issued again for a time that cron has shifted', async () => {
    await using campus = await openCampus({ ...busy, renewAfter: '180d' })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course, ago(10))
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    await campus.lms.recomplete(ada, campus.course, ago(9))
    await askedAgain(campus)
    expect(await campus.states()).toEqual(['issued'])
    expect(await rows(campus, `SELECT FROM completion WHERE state = 'same'`)).toHaveLength(1)
  })

  test('may come as an event before Moodle has reckoned: the poll finds them', async () => {
    await using campus = await openCampus({ every: '300ms' })
    const ada = campus.enrol('ada')
    expect((await campus.post(completedHook(ada, campus.course))).status).toBe(200)
    await expect.poll(() => rows(campus, `SELECT FROM delivery WHERE state = 'judged'`), soon).toHaveLength(1)
    expect(await campus.states()).toEqual([])
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
  })

  test('of a learner without an e-mail address wait until the address is mended in Moodle', async () => {
    await using campus = await openCampus(busy)
    const ada = campus.enrol('ada', { email: '', username: 'ada' })
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => rows(campus, `SELECT FROM run_row WHERE outcome = 'invalid'`), soon).toHaveLength(1)
    await askedAgain(campus)
    // The same data are refused once, however often they are heard.
    expect(await rows(campus, 'SELECT FROM run')).toHaveLength(1)
    campus.lms.change(ada, { email: 'ada@example.org' })
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
  })

  test('are one credential though the e-mail address changes between', async () => {
    await using campus = await openCampus(busy)
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    campus.lms.change(ada, { email: 'countess@example.org' })
    await campus.post(completedHook(ada, campus.course))
    await askedAgain(campus)
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })

  test('of two learners with one e-mail address are told to a person, and neither is guessed, when they come together', async () => {
    await using campus = await openCampus({ ...busy, idle: true })
    const family = (username: string) => campus.enrol(username, { email, username })
    const learners = [family('ada'), family('byron')]
    for (const learner of learners) await campus.lms.complete(learner, campus.course)
    await campus.work()
    await expect.poll(() => rows(campus, 'SELECT FROM run_row'), soon).toHaveLength(2)
    await askedAgain(campus)
    const told = await rows(campus, `SELECT outcome, violations->0->>'rule' AS rule FROM run_row`)
    expect(told).toEqual(learners.map(() => ({ outcome: 'invalid', rule: 'identity_conflict' })))
    expect(campus.world.sandbox.requests()).toEqual([])
    expect((await campus.say('status')).stdout).toContain('2 invalid')
  })

  test('of two learners with one e-mail address are one credential when one comes later, who is told to a person', async () => {
    await using campus = await openCampus(busy)
    const ada = campus.enrol('ada', { email })
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    const byron = campus.enrol('byron', { email, username: 'byron' })
    await campus.lms.complete(byron, campus.course)
    const told = () => rows(campus, 'SELECT outcome, changed_fields AS changed FROM run_row ORDER BY outcome')
    await expect.poll(told, soon).toEqual([
      { outcome: 'accepted', changed: null },
      { outcome: 'skipped', changed: ['First Name'] },
    ])
    await askedAgain(campus)
    expect(timesIssued(campus.world.sandbox)).toEqual(new Map([[email, 1]]))
    // The credential bears the other's name.
    expect(await campus.profileOf(byron)).toEqual({})
    expect((await campus.say('correct')).stdout).toContain('First Name differs')
  })

  test('of one course are issued by each of two pipelines that have courses of their own', async () => {
    await using campus = await openCampus({
      ...busy,
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
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), soon).toEqual(['issued', 'issued'])
    await askedAgain(campus)
    const { sandbox } = campus.world
    expect(sandbox.requests().map(({ course }) => course)).toHaveLength(2)
    expect(new Set(sandbox.requests().map(({ course }) => course))).toEqual(
      new Set(sandbox.courses.slice(0, 2).map(({ uuid }) => uuid)),
    )
    // The pipeline that tells the profile tells of its own credential.
    const own = sandbox.requests().find(({ course }) => course === sandbox.courses[0]?.uuid)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credid: own?.credentialId })
  })

  test('of one course are one credential of two pipelines that issue the same course', async () => {
    await using campus = await openCampus({ ...busy, pipelines: (first) => ({ autumn: { ...first, writeBack: [] } }) })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    const told = () => rows(campus, `SELECT outcome FROM run_row JOIN run ON run.id = run_id ORDER BY outcome`)
    await expect.poll(told, soon).toEqual([{ outcome: 'accepted' }, { outcome: 'skipped' }])
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })

  test('of a course are heard although another course has no criteria', async () => {
    await using campus = await openCampus({
      every: '300ms',
      pipelines: (first) => ({
        broken: { ...first, source: { system: 'campus', course: 'NONE-1' }, writeBack: [] },
        absent: { ...first, source: { system: 'campus', course: 'ABSENT-1' }, writeBack: [] },
      }),
    })
    const { id } = campus.lms.addCourse({ idnumber: 'NONE-1', shortname: 'NONE', fullname: 'None', criteria: [] })
    const ada = campus.enrol('ada')
    campus.lms.enrol(ada, id)
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    const [standing] = await campus.world.app.ledger.learningSystems.standing()
    expect(standing?.problem).toContain('broken')
  })

  test('leave no files behind but for those who were not taken', async () => {
    await using campus = await openCampus(busy)
    const files = () => readdir(join(campus.world.folder, 'outbox')).catch(() => [])
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    expect(await files()).toEqual([])
    await campus.lms.complete(campus.enrol('nobody', { email: '', username: 'nobody' }), campus.course)
    const named = async () => (await files()).map((name) => name.replace(/\.[0-9a-f]{8}\./, '.')).toSorted()
    await expect.poll(named, soon).toEqual(['campus.invalid.csv', 'campus.summary.txt'])
  })
})

describeWithDatabase('a run of completions that the configuration refused', () => {
  test('is read again when a worker starts with a better one', async () => {
    await using campus = await openCampus({ every: '300ms', idle: true })
    const ada = campus.enrol('ada')
    const { ledger } = campus.world.app
    const cells = { email: 'ada@example.org', firstname: 'ada', lastname: 'Lovelace' }
    const of = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    await ledger.completions.hear(of, [{ learner: String(ada), course: 'FIRE-1', completedAt: ago(1), cells }], 'poll')
    const run = await ledger.completions.gather('spring')
    await ledger.refuseRun(run ?? '', 'The course is not known.')
    await campus.work()
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
  })
})

describeWithDatabase('the account of occasions', () => {
  const of = { system: 'campus', pipeline: 'spring', renewAfterMs: 180 * dayMs }
  const hear = ({ world }: Campus, days: number) =>
    world.app.ledger.completions.hear(
      of,
      [{ learner: '3', course: 'FIRE-1', completedAt: ago(days), cells: { email: 'ada@example.org' } }],
      'poll',
    )

  test('counts from the last occasion, not from the last completion that was told', async () => {
    await using campus = await openCampus({ idle: true })
    expect(await hear(campus, 300)).toMatchObject({ fresh: 1 })
    expect(await hear(campus, 200)).toMatchObject({ same: 1 })
    expect(await hear(campus, 100)).toMatchObject({ fresh: 1 })
    expect(await hear(campus, 10)).toMatchObject({ same: 1 })
  })

  test('is kept by one at a time, though many tell of one occasion at once, each with another instant', async () => {
    await using campus = await openCampus({ idle: true })
    const { database } = campus.world.app
    // Who could read at once is kept from writing until all are there.
    const gate = await database.session()
    await gate.query('BEGIN')
    await gate.query('LOCK TABLE completion IN EXCLUSIVE MODE')
    const hearing = Promise.all([10, 11, 12, 13].map((days) => hear(campus, days)))
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await database.query(waiting)).rowCount, soon).toBe(4)
    await gate.query('COMMIT')
    await gate.release()
    expect((await hearing).filter(({ fresh }) => fresh === 1)).toHaveLength(1)
  })
})
