// credsync events while a worker runs: what it shows, what it processes again, and what it refuses.

import { expect, test } from 'vitest'
import { type Campus, hookToken, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const pollOptions = { timeout: 240_000, interval: 100 }

async function postEvent({ web }: Campus, body: object): Promise<void> {
  const answer = await fetch(`${web.url}/events/hooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, token: hookToken }),
  })
  expect(answer.status).toBe(200)
}

const completionEvent = (learner: number | string, { course }: Campus) => ({
  eventname: '\\core\\event\\course_completed',
  courseid: String(course),
  relateduserid: String(learner),
  userid: '2',
  timecreated: 1_795_219_377,
})

const untilProcessed = ({ world }: Campus) =>
  expect
    .poll(
      async () => (await world.app.ledger.inboundEvents.counts()).map(({ unprocessed }) => unprocessed),
      pollOptions,
    )
    .not.toContain(1)

describeWithDatabase('credsync events', () => {
  test('shows an event that was not understood, prints it as received, and has it processed again', async () => {
    await using campus = await openCampus()
    expect(await campus.runCli('events')).toMatchObject({ code: 0, stdout: expect.stringContaining('system campus: ') })
    await postEvent(campus, completionEvent('ghost', campus))
    await expect
      .poll(async () => (await campus.runCli('events')).stdout, pollOptions)
      .toMatch(/^d1 {2}.* UTC {2}hooks {2}Moodle shows no learner/m)

    const list = await campus.runCli('events', '--system', 'hooks', '--json')
    expect(list.code).toBe(3)
    expect(JSON.parse(list.stdout)).toMatchObject({
      events: [{ id: 'd1', system: 'hooks', problem: expect.any(String) }],
      counts: [{ system: 'hooks', unprocessed: 0, strange: 1 }],
      systems: [],
    })
    const shown = await campus.runCli('events', 'show', 'd1')
    expect(JSON.parse(shown.stdout)).toEqual(completionEvent('ghost', campus))
    expect(shown.stderr).toMatch(/^d1: from hooks, .*Z, strange: Moodle shows no learner/)
    expect(shown.stdout + shown.stderr).not.toContain(hookToken)

    const replay = await campus.runCli('events', 'replay', '--system', 'hooks', '--json')
    expect([replay.code, JSON.parse(replay.stdout)]).toEqual([0, { events: 1, completions: 0 }])
    await untilProcessed(campus)
    // Of the system that sends the events nobody is polled; of one that is polled, everybody is.
    const fullPolls = async () =>
      (await campus.world.app.database.query<{ at: Date }>('SELECT swept_at AS at FROM learning_system')).rows[0]?.at
    const before = Number(await fullPolls())
    expect((await campus.runCli('events', 'replay', '--system', 'campus')).code).toBe(0)
    await expect.poll(async () => Number(await fullPolls()), pollOptions).toBeGreaterThan(before)
    expect((await campus.runCli('events', 'list', '--system', 'hooks')).stdout).toMatch(/^d1 /)
    expect((await campus.runCli('events', '--system', 'statements')).code).toBe(0)

    expect(await campus.runCli('events', 'close', 'd1')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^d1 is closed: it leads to no credential, and its body is deleted\.$/m),
    })
    expect((await campus.runCli('events', 'show', 'd1')).stderr).toContain('The body of the event is no longer stored.')
    // Of several, each is closed before the one that cannot be.
    expect(await campus.runCli('events', 'close', 'd1', 'd1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('d1 is closed already.'),
    })
    expect((await campus.runCli('events')).code).toBe(0)
  })

  test('returns completions of a refused run to waiting, but not those of a run that an operator rejected', async () => {
    await using campus = await openCampus({ every: '1s', columns: { Email: 'no_such_column' } })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect
      .poll(async () => (await campus.runCli('events')).stdout, pollOptions)
      .toMatch(/^pipeline spring: 0 completions from campus to be issued, 1 in refused runs: /m)
    const replay = await campus.runCli('events', 'replay', '--system', 'hooks', '--json')
    expect(JSON.parse(replay.stdout)).toEqual({ events: 0, completions: 1 })
    const { database, ledger } = campus.world.app
    const runs = async () => (await database.query(`SELECT FROM run WHERE state = 'refused'`)).rowCount
    await expect.poll(runs, pollOptions).toBe(2)
    await database.query(
      `UPDATE run SET rejected_at = clock_timestamp(), rejected_by = 'ada', braked_at = clock_timestamp(), would_accept = 1, braked_because = 'too many' WHERE state = 'refused'`,
    )
    expect(await ledger.completions.waitAgain('spring')).toBe(0)
    expect(await ledger.completions.counts()).toEqual([])
  })

  test('refuses unknown names with exit code 2, and lists the existing ones', async () => {
    await using campus = await openCampus()
    const calls = [
      ['events', '--system', 'nowhere'],
      ['events', 'replay', '--system', 'nowhere'],
      ['events', 'deliver', '--pipeline', 'nowhere'],
      ['events', 'show', 'd99'],
      ['events', 'show', '99'],
      ['events', 'replay'],
    ]
    const ended = await Promise.all(calls.map((args) => campus.runCli(...args)))
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2])
    const [system, , pipeline, unknown, noId] = ended.map(({ stderr }) => stderr)
    expect(system).toContain('It has: campus, hooks, statements.')
    expect(pipeline).toContain('It has: spring.')
    expect(unknown).toContain('The ledger has no event d99 for development.')
    expect(noId).toContain('Event ids look like d7')
  })

  test('leaves a processed completion to explain, which shows it with its deliveries', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    const explained = async () => (await campus.runCli('explain', 'ada@example.org')).stdout
    await expect
      .poll(explained, pollOptions)
      .toMatch(/^ {2}delivered {5}moodle-profile campus: issued, verified \S+ \S+ UTC$/m)
    expect(await explained()).toMatch(
      /^ {2}completed {5}FIRE-1 in campus at \S+ \S+, received by polling at \S+ \S+ UTC$/m,
    )
    // Neither lists it: nothing about it is left to do.
    expect((await campus.runCli('events')).stdout).not.toContain('completions from campus')
    expect((await campus.runCli('status')).stdout).not.toMatch(/campus:/)
  })
})
