// Changes after a completion: learners who leave, deleted courses, voided statements, and profiles changed by others.

import { expect, test } from 'vitest'
import { type Campus, openCampus, xapiPassword } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const pollWait = { timeout: 240_000, interval: 100 }

async function issuedTo(campus: Campus, firstname: string): Promise<number> {
  const learner = campus.enroll(firstname)
  await campus.lms.complete(learner, campus.course)
  await expect.poll(() => campus.profileOf(learner), pollWait).toMatchObject({ credstatus: 'issued' })
  await untilAllVerified(campus)
  return learner
}

/** Waits until the only delivery was read back. */
function untilAllVerified({ world }: Campus): Promise<void> {
  const deliveryCounts = async () =>
    (await world.app.ledger.deliveries.counts()).map(({ verified, pending }) => [verified, pending])
  return expect.poll(deliveryCounts, pollWait).toEqual([[1, 0]])
}

const driftOutcomes = ({ logged }: Campus) =>
  logged.filter(({ name }) => name === 'delivery.drift').map(({ outcome }) => outcome)

const requestCount = ({ world }: Campus) => world.sandbox.requests().length

/** Waits until all learners were polled and all profiles checked once more. */
async function untilCheckedOnceMore(campus: Campus): Promise<void> {
  const { database } = campus.world.app
  const { rows } = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at')
  const pendingChecks = async () => {
    const { rows: left } = await database.query(
      `SELECT FROM delivery WHERE state IN ('verified', 'drifted') AND looked_at < $1 UNION ALL SELECT FROM delivery WHERE state = 'pending'
       UNION ALL SELECT FROM learning_system WHERE swept_at < $1`,
      [rows[0]?.at],
    )
    return left.length
  }
  await expect.poll(pendingChecks, pollWait).toBe(0)
}

describeWithDatabase('a learner who leaves', () => {
  test('keeps the credential and its deliveries', async () => {
    await using campus = await openCampus({ every: '1s', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const profileBefore = await campus.profileOf(ada)
    campus.lms.unenroll(ada, campus.course)
    // A late event changes nothing.
    await post(campus, statement(ada, campus, 'http://adlnet.gov/expapi/verbs/completed'))
    await untilCheckedOnceMore(campus)
    expect(await campus.profileOf(ada)).toEqual(profileBefore)
    expect(requestCount(campus)).toBe(1)
    expect(driftOutcomes(campus)).toEqual([])
    expect((await campus.runCli('events')).code).toBe(0)
  })

  test.each([
    ['is no longer enrolled', ({ lms, course }: Campus, learner: number) => lms.unenroll(learner, course)],
    ['is deleted', ({ lms }: Campus, learner: number) => lms.deleteAccount(learner)],
  ])('before the event was processed is counted, and needs nobody: %s', async (_, leave) => {
    await using campus = await openCampus()
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    leave(campus, ada)
    await post(campus, statement(ada, campus, 'http://adlnet.gov/expapi/verbs/completed'))
    const counts = async () => JSON.parse((await campus.runCli('events', '--json')).stdout).counts
    await expect.poll(counts, pollWait).toMatchObject([{ system: 'statements', left: 1, strange: 0, unprocessed: 0 }])
    expect((await campus.runCli('events')).code).toBe(0)
    expect((await campus.runCli('events', 'show', 'd1')).stderr).toContain('nothing was issued')
    expect(requestCount(campus)).toBe(0)
  })
})

describeWithDatabase('a course that is deleted', () => {
  test('revokes no credential, and the problem is reported until it is fixed', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const profileBefore = await campus.profileOf(ada)
    campus.lms.removeCourse(campus.course)
    await expect
      .poll(async () => (await campus.runCli('status')).stdout, pollWait)
      .toMatch(/^system campus: last polled .* UTC\. Pipeline spring: campus shows no course FIRE-1\. /m)
    expect((await campus.runCli('events')).code).toBe(3)
    expect(await campus.profileOf(ada)).toEqual(profileBefore)
    campus.lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire & safety' })
    await expect.poll(async () => (await campus.runCli('events')).code, pollWait).toBe(0)
  })
})

describeWithDatabase('a statement that is voided', () => {
  test('is stored as strange, revokes nothing automatically, and is shown', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const { id, ...rest } = statement(ada, campus, 'http://adlnet.gov/expapi/verbs/voided')
    await post(campus, { ...rest, id, object: { objectType: 'StatementRef', id: crypto.randomUUID() } })
    await expect
      .poll(() => strangeProblem(campus), pollWait)
      .toMatch(/was voided\..*decide whether to revoke it \(credsync revoke\)/)
    const { code, stdout } = await campus.runCli('events', '--system', 'statements')
    expect(code).toBe(3)
    const [eventId = ''] = /^d\d+/m.exec(stdout) ?? []
    expect(JSON.parse((await campus.runCli('events', 'show', eventId)).stdout)).toMatchObject({ id })
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
  })
})

describeWithDatabase('a profile in the daily check', () => {
  test('that was emptied, or that shows an earlier delivery, is written again', async () => {
    await using campus = await openCampus({ every: '1s', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const profileBefore = await campus.profileOf(ada)
    campus.lms.overwrite(ada, 'credurl', '')
    await expect.poll(() => campus.profileOf(ada), pollWait).toEqual(profileBefore)
    await untilAllVerified(campus)
    campus.lms.overwrite(ada, 'credstatus', 'held')
    await expect.poll(() => campus.profileOf(ada), pollWait).toEqual(profileBefore)
    expect(new Set(driftOutcomes(campus))).toEqual(new Set(['delivered again']))
    expect(requestCount(campus)).toBe(1)
  })

  test('that others changed is not overwritten but reported, and overwritten when an operator decides so', async () => {
    await using campus = await openCampus({ every: '1s', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    campus.lms.overwrite(ada, 'credid', 'theirs')
    await expect.poll(() => driftOutcomes(campus), pollWait).toEqual(['left'])
    await untilCheckedOnceMore(campus)
    expect(driftOutcomes(campus)).toEqual(['left'])
    expect(await campus.profileOf(ada)).toMatchObject({ credid: 'theirs' })
    const { code, stdout } = await campus.runCli('events')
    expect(stdout).toMatch(
      /^spring → moodle-profile campus: 1 drifted\. Learner 3: Something else was written to credid and was not overwritten\..* To deliver the outcomes again: `credsync events deliver --pipeline spring`\.$/m,
    )
    expect(code).toBe(3)
    const result = await campus.runCli('events', 'deliver', '--pipeline', 'spring', '--json')
    expect(JSON.parse(result.stdout)).toEqual({ deliveries: 1 })
    await expect.poll(() => campus.profileOf(ada), pollWait).not.toMatchObject({ credid: 'theirs' })
    await untilAllVerified(campus)
    expect((await campus.runCli('events')).code).toBe(0)
  })
})

async function strangeProblem(campus: Campus): Promise<string> {
  const [found] = await campus.world.app.ledger.inboundEvents.strange(null, 1)
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
