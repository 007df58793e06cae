// Learners of a Moodle site who are forgotten: the site reports them again every night, by events and by statements, and
// nobody is issued twice.

import { expect, test } from 'vitest'
import { deliveredOutcomes } from '#src/extensions/lms/ledger/forget-learners.ts'
import { waitsForEvents } from '#src/extensions/privacy/ledger/empty-events.ts'
import { type Campus, completedHook, completionWait, openCampus, xapiPassword } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { requestProfileCheck } from '#test/support/request-profile-check.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

const confirming = { hooks: 'campus', statements: 'campus' }
const everySecond = { every: '1s', sweep: '1s' }

async function forget({ world }: Campus, revokes = false): Promise<void> {
  const { erasures } = world.app.ledger
  const id = await writeErasure(world.app.ledger, { ids: [1], revokes })
  const isDone = async () => {
    await erasures.revoke(id)
    const { waiting } = await erasures.emptyEvents(id, confirming)
    if (waiting.length > 0) return waitsForEvents(waiting)
    while ((await erasures.emptyNext(id, confirming)) > 0);
    await erasures.end(id)
    // The worker may have ended it.
    return (await erasures.open()).length === 0 || (await erasures.waiting(id))
  }
  await expect.poll(isDone, completionWait).toBe(true)
}

/** Tables in which a learner's name, address or user name stands. */
async function tablesWith({ world }: Campus, text: string): Promise<string[]> {
  const { database } = world.app
  const { rows } = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'credsync' AND table_type = 'BASE TABLE' ORDER BY 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const hex = Buffer.from(text).toString('hex')
    const { rowCount } = await database.query(
      `SELECT FROM ${name} t WHERE strpos(lower(to_jsonb(t)::text), $1) > 0 OR strpos(to_jsonb(t)::text, $2) > 0 LIMIT 1`,
      [text, hex],
    )
    if (rowCount > 0) found.push(name)
  }
  return found
}

/** Waits until all learners were polled once more, twice. */
async function twoNights({ world }: Campus): Promise<void> {
  const { database } = world.app
  for (let night = 0; night < 2; night++) {
    const { rows } = await database.query<{ now: Date }>('SELECT clock_timestamp() AS now')
    const polled = async () =>
      (await database.query(`SELECT FROM learning_system WHERE system = 'campus' AND swept_at > $1`, [rows[0]?.now]))
        .rowCount
    await expect.poll(polled, completionWait).toBe(1)
  }
}

const completions = async ({ world }: Campus) =>
  (
    await world.app.database.query<{ learner: string }>(
      'SELECT left(learner, 10) AS learner FROM completion ORDER BY id',
    )
  ).rows.map(({ learner }) => learner)
const numberOfRuns = async ({ world }: Campus) => (await world.app.database.query('SELECT FROM run')).rowCount

async function openIssued(options: Parameters<typeof openCampus>[0]): Promise<Campus & { ada: number; byron: number }> {
  const campus = await openCampus(options)
  const { lms, course } = campus
  const [ada, byron] = [campus.enroll('ada'), campus.enroll('byron')]
  await lms.complete(ada, course)
  await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
  await lms.complete(byron, course)
  await expect.poll(() => campus.profileOf(byron), completionWait).toMatchObject({ credstatus: 'issued' })
  return { ...campus, ada, byron }
}

describeWithDatabase('a learner who was forgotten', () => {
  test('is polled every night, and leaves nothing', async () => {
    await using campus = await openIssued(everySecond)
    const { world, ada, byron } = campus
    expect(await tablesWith(campus, 'ada@example.org')).toEqual(
      expect.arrayContaining(['completion', 'issuance', 'run_row']),
    )
    const before = await campus.profileOf(ada)
    expect(await deliveredOutcomes(world.app.database, [1])).toMatchObject([
      { system: 'campus', what: 'profile field', outcome: 'issued' },
    ])
    await forget(campus)
    const runs = await numberOfRuns(campus)
    await twoNights(campus)
    expect(await completions(campus)).toEqual(['forgotten:', String(byron)])
    expect([await numberOfRuns(campus), world.sandbox.requests().length]).toEqual([runs, 2])
    // The report still shows the credential: what it shows is that of the service.
    expect(await tablesWith(campus, 'lovelace')).not.toContain('inbound_event')
    expect(await tablesWith(campus, 'ada@example.org')).toEqual([])
    expect(await campus.profileOf(ada)).toEqual(before)
    expect((await campus.runCli('events')).code).toBe(0)
    await requestProfileCheck(campus.world.app.database)
    await twoNights(campus)
    expect((await campus.runCli('events')).code).toBe(0)
  })

  test('gets the revocation before anything is deleted, if that was wanted', async () => {
    await using campus = await openIssued(everySecond)
    await forget(campus, true)
    expect(await campus.states()).toEqual(['revoked', 'issued'])
    expect(await campus.profileOf(campus.ada)).toMatchObject({ credstatus: 'revoked' })
    await twoNights(campus)
    expect(await campus.states()).toEqual(['revoked', 'issued'])
    expect(await completions(campus)).toEqual(['forgotten:', String(campus.byron)])
  })

  test('completes another course, and is issued there as anybody else', async () => {
    await using campus = await openIssued({
      ...everySecond,
      pipelines: (first, { courses: [, safety] }) => ({
        autumn: {
          ...first,
          ...{ course: safety?.uuid, template: safety?.templateUuid, badgeTemplate: safety?.badgeTemplateUuid },
          ...{ source: { system: 'campus', course: 'WATER-1' }, writeBack: [] },
        },
      }),
    })
    const { lms, ada } = campus
    await forget(campus)
    const { id } = lms.addCourse({ idnumber: 'WATER-1', shortname: 'WATER', fullname: 'Water' })
    lms.enroll(ada, id)
    await lms.complete(ada, id)
    await expect.poll(() => campus.states(), completionWait).toHaveLength(3)
  })

  test('is reported by another event, whose body goes', async () => {
    await using campus = await openIssued(everySecond)
    const { ada, course, world } = campus
    const post = (objectid: string, learner = ada) => campus.post(completedHook(learner, course, { objectid }))
    await post('1')
    const processed = async () =>
      (
        await world.app.database.query<{ kept: boolean }>(
          `SELECT body IS NOT NULL AS kept FROM inbound_event WHERE state = 'processed' ORDER BY id`,
        )
      ).rows.map(({ kept }) => kept)
    await expect.poll(processed, completionWait).toEqual([true])
    await forget(campus)
    expect(await processed()).toEqual([false])
    await post('2')
    await post('3', campus.byron)
    await expect.poll(processed, completionWait).toEqual([false, false, true])
    expect(await completions(campus)).not.toContain(String(ada))
    expect(world.sandbox.requests()).toHaveLength(2)
  })

  test('is reported by another statement, whose body goes', async () => {
    await using campus = await openCampus({ idle: true })
    const { lms, course, world } = campus
    const { database } = world.app
    lms.sendEventsTo({ xapi: { endpoint: `${campus.web.url}/xapi/statements`, user: 'lms', password: xapiPassword } })
    const ada = campus.enroll('ada')
    await lms.complete(ada, course)
    await lms.cron()
    const { rows } = await database.query<{ body: Buffer }>('SELECT body FROM inbound_event ORDER BY id')
    await campus.startWorker()
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    await forget(campus)
    expect((await database.query('SELECT FROM inbound_event WHERE body IS NOT NULL')).rowCount).toBe(0)
    const authorization = `Basic ${Buffer.from(`lms:${xapiPassword}`).toString('base64')}`
    for (const { body } of rows) {
      const statement = { ...JSON.parse(body.toString()), id: crypto.randomUUID() }
      const headers = { authorization, 'x-experience-api-version': '1.0.3' }
      expect((await campus.post(statement, '/xapi/statements/statements', headers)).status).toBe(200)
    }
    const processed = async () => (await database.query(`SELECT FROM inbound_event WHERE state <> 'new'`)).rowCount
    await expect.poll(processed, completionWait).toBe(rows.length * 2)
    expect(await completions(campus)).toEqual(['forgotten:'])
    // A statement about a page is no completion, and is kept for as long as its system's bodies are.
    const { rows: kept } = await database.query<{ body: Buffer }>(
      'SELECT body FROM inbound_event WHERE body IS NOT NULL',
    )
    expect(kept.map(({ body }) => body.toString()).join()).not.toContain('course_completed')
    expect(world.sandbox.requests()).toHaveLength(1)
  })
})
