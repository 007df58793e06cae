// What happens to completions afterwards: learners who leave, courses that go, statements that are voided, profiles that others write into.

import { expect, test } from 'vitest'
import { type Campus, openCampus, xapiPassword } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

const soon = { timeout: 30_000, interval: 50 }

async function issuedTo(campus: Campus, firstname: string): Promise<number> {
  const learner = campus.enrol(firstname)
  await campus.lms.complete(learner, campus.course)
  await expect.poll(() => campus.profileOf(learner), soon).toMatchObject({ credstatus: 'issued' })
  await settled(campus)
  return learner
}

/** What was told was seen there, too. */
function settled({ world }: Campus): Promise<void> {
  const standing = async () =>
    (await world.app.ledger.tells.standing()).map(({ verified, pending }) => [verified, pending])
  return expect.poll(standing, soon).toEqual([[1, 0]])
}

const drifts = ({ logged }: Campus) => logged.filter(({ name }) => name === 'tell.drift').map(({ outcome }) => outcome)

const requests = ({ world }: Campus) => world.sandbox.requests().length

/** Every learner was asked about, and every profile looked at, once more than by now. */
async function aNight(campus: Campus): Promise<void> {
  const { database } = campus.world.app
  const { rows } = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at')
  const looked = async () => {
    const { rows: left } = await database.query(
      `SELECT FROM tell WHERE state IN ('verified', 'drifted') AND looked_at < $1 UNION ALL SELECT FROM tell WHERE state = 'pending'
       UNION ALL SELECT FROM learning_system WHERE swept_at < $1`,
      [rows[0]?.at],
    )
    return left.length
  }
  await expect.poll(looked, soon).toBe(0)
}

describeWithDatabase('a learner who leaves', () => {
  test('keeps the credential and the word of it', async () => {
    await using campus = await openCampus({ every: '1s', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const before = await campus.profileOf(ada)
    campus.lms.unenrol(ada, campus.course)
    // An event that comes late says nothing new.
    await post(campus, statement(ada, campus, 'http://adlnet.gov/expapi/verbs/completed'))
    await aNight(campus)
    expect(await campus.profileOf(ada)).toEqual(before)
    expect(requests(campus)).toBe(1)
    expect(drifts(campus)).toEqual([])
    expect((await campus.say('events')).code).toBe(0)
  })

  test('before the event was judged is told of, and issued nothing', async () => {
    await using campus = await openCampus()
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    campus.lms.unenrol(ada, campus.course)
    await post(campus, statement(ada, campus, 'http://adlnet.gov/expapi/verbs/completed'))
    await expect.poll(() => strange(campus), soon).toMatch(/^Moodle does not say whether .* not enrolled any more/)
    expect(requests(campus)).toBe(0)
  })
})

describeWithDatabase('a course that is deleted', () => {
  test('takes no credential away, and the system says so until it is mended', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const before = await campus.profileOf(ada)
    campus.lms.removeCourse(campus.course)
    await expect
      .poll(async () => (await campus.say('status')).stdout, soon)
      .toMatch(/^system campus: last asked .* UTC\. Pipeline spring: there is no course as its source names it/m)
    expect((await campus.say('events')).code).toBe(3)
    expect(await campus.profileOf(ada)).toEqual(before)
    campus.lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire & safety' })
    await expect.poll(async () => (await campus.say('events')).code, soon).toBe(0)
  })
})

describeWithDatabase('a statement that is voided', () => {
  test('is kept as strange, revokes nothing by itself, and is shown', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const { id, ...told } = statement(ada, campus, 'http://adlnet.gov/expapi/verbs/voided')
    await post(campus, { ...told, id, object: { objectType: 'StatementRef', id: crypto.randomUUID() } })
    await expect.poll(() => strange(campus), soon).toMatch(/was voided.*a person decides: credsync revoke/)
    const { code, stdout } = await campus.say('events', '--system', 'statements')
    expect(code).toBe(3)
    const [shown = ''] = /^d\d+/m.exec(stdout) ?? []
    expect(JSON.parse((await campus.say('events', 'show', shown)).stdout)).toMatchObject({ id })
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
  })
})

describeWithDatabase('at night a profile', () => {
  test('that somebody emptied, or that says what it said once, is told again', async () => {
    await using campus = await openCampus({ every: '1s', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const before = await campus.profileOf(ada)
    campus.lms.overwrite(ada, 'credurl', '')
    await expect.poll(() => campus.profileOf(ada), soon).toEqual(before)
    await settled(campus)
    campus.lms.overwrite(ada, 'credstatus', 'held')
    await expect.poll(() => campus.profileOf(ada), soon).toEqual(before)
    expect(new Set(drifts(campus))).toEqual(new Set(['told again']))
    expect(requests(campus)).toBe(1)
  })

  test('that others wrote into is left, told of, and overwritten when a person says so', async () => {
    await using campus = await openCampus({ every: '1s', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    campus.lms.overwrite(ada, 'credid', 'theirs')
    await expect.poll(() => drifts(campus), soon).toEqual(['left'])
    await aNight(campus)
    expect(drifts(campus)).toEqual(['left'])
    expect(await campus.profileOf(ada)).toMatchObject({ credid: 'theirs' })
    const { code, stdout } = await campus.say('events')
    expect(stdout).toMatch(
      /^spring → moodle-profile campus: 1 drifted\. Somebody wrote something else into credid; it was left as it is\..* To tell again: `credsync events tell --pipeline spring`\.$/m,
    )
    expect(code).toBe(3)
    const told = await campus.say('events', 'tell', '--pipeline', 'spring', '--json')
    expect(JSON.parse(told.stdout)).toEqual({ tells: 1 })
    await expect.poll(() => campus.profileOf(ada), soon).not.toMatchObject({ credid: 'theirs' })
    await settled(campus)
    expect((await campus.say('events')).code).toBe(0)
  })

  test('of a Moodle that does not answer is looked at in another night', async () => {
    await using campus = await openCampus({ every: '1s', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    campus.lms.overwrite(ada, 'credurl', '')
    campus.lms.maintenance(true)
    await expect.poll(() => campus.logged.some(({ name }) => name === 'system.away'), soon).toBe(true)
    expect((await campus.say('status')).stdout).toMatch(/^system campus: last asked/m)
    campus.lms.maintenance(false)
    await campus.world.app.database.query('UPDATE learning_system SET due_at = clock_timestamp(), asked_at = NULL')
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credurl: expect.stringMatching(/^http/) })
  })
})

async function strange(campus: Campus): Promise<string> {
  const [found] = await campus.world.app.ledger.deliveries.strange(null, 1)
  return found?.problem ?? ''
}

function statement(learner: number, { lms, course }: Campus, verb: string) {
  return {
    id: crypto.randomUUID(),
    actor: { account: { homePage: lms.url, name: String(learner) } },
    verb: { id: verb },
    object: {
      objectType: 'Activity',
      id: `${lms.url}/course/view.php?id=${course}`,
      definition: { type: 'https://w3id.org/xapi/cmi5/activitytype/course' },
    },
    timestamp: new Date().toISOString(),
  }
}

async function post({ web }: Campus, body: object): Promise<void> {
  const answer = await fetch(`${web.url}/xapi/statements/statements`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`lms:${xapiPassword}`).toString('base64')}`,
      'content-type': 'application/json',
      'x-experience-api-version': '1.0.3',
    },
    body: JSON.stringify(body),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
}
