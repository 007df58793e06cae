// credsync events beside a running worker: what it shows, what it puts back to work, and what it refuses.

import { expect, test } from 'vitest'
import { type Campus, hookToken, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const soon = { timeout: 20_000, interval: 50 }

async function hook({ web }: Campus, body: object): Promise<void> {
  const answer = await fetch(`${web.url}/events/hooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, token: hookToken }),
  })
  expect(answer.status).toBe(200)
}

const completed = (learner: number, { course }: Campus) => ({
  eventname: '\\core\\event\\course_completed',
  courseid: String(course),
  relateduserid: String(learner),
  userid: '2',
  timecreated: 1_795_219_377,
})

const judged = ({ world }: Campus) =>
  expect
    .poll(async () => (await world.app.ledger.deliveries.standing()).map(({ unjudged }) => unjudged), soon)
    .not.toContain(1)

describeWithDatabase('credsync events', () => {
  test('shows what was not understood, prints it as it came, and has it judged again', async () => {
    await using campus = await openCampus()
    expect(await campus.say('events')).toMatchObject({ code: 0, stdout: expect.stringContaining('system campus: ') })
    await hook(campus, completed(999, campus))
    await expect
      .poll(async () => (await campus.say('events')).stdout, soon)
      .toMatch(/^d1 {2}.* UTC {2}hooks {2}Moodle knows/m)

    const list = await campus.say('events', '--system', 'hooks', '--json')
    expect(list.code).toBe(3)
    expect(JSON.parse(list.stdout)).toMatchObject({
      deliveries: [{ id: 'd1', system: 'hooks', problem: expect.any(String) }],
      counts: [{ system: 'hooks', unjudged: 0, strange: 1 }],
      systems: [],
    })
    const shown = await campus.say('events', 'show', 'd1')
    expect(JSON.parse(shown.stdout)).toEqual(completed(999, campus))
    expect(shown.stderr).toMatch(/^d1: of hooks, .*Z, strange: Moodle knows/)
    expect(shown.stdout + shown.stderr).not.toContain(hookToken)

    const replay = await campus.say('events', 'replay', '--system', 'hooks', '--json')
    expect([replay.code, JSON.parse(replay.stdout)]).toEqual([0, { deliveries: 1, completions: 0 }])
    await judged(campus)
    expect((await campus.say('events', 'list', '--system', 'hooks')).stdout).toMatch(/^d1 /)
    expect((await campus.say('events', '--system', 'statements')).code).toBe(0)
  })

  test('lets completions of a refused run wait again, and not those that a person rejected', async () => {
    await using campus = await openCampus({ every: '1s', columns: { Email: 'no_such_column' } })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect
      .poll(async () => (await campus.say('events')).stdout, soon)
      .toMatch(/^pipeline spring: 0 completions of campus to be issued, 1 of refused runs: /m)
    const replay = await campus.say('events', 'replay', '--system', 'hooks', '--json')
    expect(JSON.parse(replay.stdout)).toEqual({ deliveries: 0, completions: 1 })
    const { database, ledger } = campus.world.app
    const runs = async () => (await database.query(`SELECT FROM run WHERE state = 'refused'`)).rowCount
    await expect.poll(runs, soon).toBe(2)
    await database.query(
      `UPDATE run SET rejected_at = clock_timestamp(), rejected_by = 'ada', braked_at = clock_timestamp(), would_accept = 1, braked_because = 'too many' WHERE state = 'refused'`,
    )
    expect(await ledger.completions.waitAgain('spring')).toBe(0)
    expect(await ledger.completions.standing()).toEqual([])
  })

  test('refuses what there is not, with 2 and the names that there are', async () => {
    await using campus = await openCampus()
    const asked = [
      ['events', '--system', 'nowhere'],
      ['events', 'replay', '--system', 'nowhere'],
      ['events', 'tell', '--pipeline', 'nowhere'],
      ['events', 'show', 'd99'],
      ['events', 'show', '99'],
      ['events', 'replay'],
    ]
    const ended = await Promise.all(asked.map((args) => campus.say(...args)))
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2])
    const [system, , pipeline, unknown, noId] = ended.map(({ stderr }) => stderr)
    expect(system).toContain('It has: campus, hooks, statements.')
    expect(pipeline).toContain('It has: spring.')
    expect(unknown).toContain('The ledger has no delivery d99 for development.')
    expect(noId).toContain('They look like d7')
  })

  test('beside explain, which tells of the completion and of what was told', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    const explained = async () => (await campus.say('explain', 'ada@example.org')).stdout
    await expect.poll(explained, soon).toMatch(/^ {2}told {10}moodle-profile campus: issued, verified \S+ \S+ UTC$/m)
    expect(await explained()).toMatch(
      /^ {2}completed {5}FIRE-1 in campus at \S+ \S+, heard by asking it at \S+ \S+ UTC$/m,
    )
    expect((await campus.say('status')).stdout).not.toMatch(/campus:/)
  })
})
