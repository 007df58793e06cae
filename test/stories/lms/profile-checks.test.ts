// The check of written profiles has its own schedule, and an operator can request it.

import { expect, test } from 'vitest'
import { type Campus, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

async function issuedTo(campus: Campus, firstname: string): Promise<number> {
  const learner = campus.enroll(firstname)
  await campus.lms.complete(learner, campus.course)
  await campus.startWorker()
  const deliveryCounts = async () => (await campus.world.app.ledger.deliveries.counts())[0]
  await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1, pending: 0 })
  return learner
}

describeWithDatabase('written profiles are checked', () => {
  test('on schedule, even if nothing is polled', async () => {
    await using campus = await openCampus({ idle: true, every: '1d', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const before = await campus.profileOf(ada)
    campus.lms.overwrite(ada, 'credurl', '')
    await expect.poll(() => campus.profileOf(ada), completionWait).toEqual(before)
    expect(campus.logged.filter(({ name }) => name === 'system.asked')).toHaveLength(1)
  })

  test('when an operator requests it', async () => {
    await using campus = await openCampus({ idle: true })
    const ada = await issuedTo(campus, 'ada')
    const before = await campus.profileOf(ada)
    campus.lms.overwrite(ada, 'credstatus', '')
    const { code, stderr } = await campus.runCli('events', 'look-back', '--system', 'campus')
    expect(code).toBe(0)
    expect(stderr).toContain('1 outcome in profiles of campus to be checked again, while `credsync start` runs.')
    await expect.poll(() => campus.profileOf(ada), completionWait).toEqual(before)
    const refusal = await campus.runCli('events', 'look-back', '--system', 'hooks')
    expect([refusal.code, refusal.stderr]).toEqual([
      2,
      expect.stringContaining('hooks has no profiles that can be checked again'),
    ])
    const json = await campus.runCli('events', 'look-back', '--system', 'campus', '--json')
    expect(JSON.parse(json.stdout)).toEqual({ tells: 1 })
  })
})

describeWithDatabase('checked profiles show', () => {
  const clearAndCheck = async (campus: Campus, learner: number) => {
    const before = await campus.profileOf(learner)
    campus.lms.overwrite(learner, 'credurl', '')
    await campus.runCli('events', 'look-back', '--system', 'campus')
    await expect.poll(() => campus.profileOf(learner), completionWait).toEqual(before)
    return before
  }
  const deliveries = async ({ world }: Campus) =>
    (await world.app.database.query('SELECT state, wanted FROM tell ORDER BY id')).rows

  test('a credential that came from a file before its learner completed the course', async () => {
    await using campus = await openCampus({ idle: true })
    await campus.world.receive('list.csv', 'email,First Name,Last Name\nada@example.org,ada,Lovelace\n')
    const ada = campus.enroll('ada')
    await campus.startWorker()
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    await campus.lms.complete(ada, campus.course)
    await campus.world.app.database.query('UPDATE learning_system SET due_at = now(), asked_at = NULL')
    await expect.poll(() => deliveries(campus), completionWait).toEqual([{ state: 'verified', wanted: 'issued' }])
    expect(await clearAndCheck(campus, ada)).toMatchObject({ credstatus: 'issued' })
  })

  test('a corrected credential, and the earlier one is not reported as overwritten', async () => {
    await using campus = await openCampus({ idle: true })
    const ada = await issuedTo(campus, 'ada')
    await campus.runCli('correct', 'ada@example.org', '--set', 'Last Name=King', '--yes', '--by', 'me')
    const both = [
      { state: 'verified', wanted: 'revoked' },
      { state: 'verified', wanted: 'issued' },
    ]
    await expect.poll(() => deliveries(campus), completionWait).toEqual(both)
    // The revocation was delivered last: Moodle may have been unavailable until both deliveries were due.
    await campus.world.app.database.query(
      `UPDATE tell SET verified_at = now() + interval '1 minute' WHERE wanted = 'revoked'`,
    )
    expect(await clearAndCheck(campus, ada)).toMatchObject({ credstatus: 'issued' })
    await expect.poll(() => deliveries(campus), completionWait).toEqual(both)
    // The same holds while the newer credential still lacks its link.
    await campus.world.app.database.query(`UPDATE tell SET state = 'incomplete' WHERE wanted = 'issued'`)
    await campus.runCli('events', 'look-back', '--system', 'campus')
    const pendingChecks = () => campus.world.app.database.query(`SELECT FROM learning_system WHERE look_at < now()`)
    await expect.poll(async () => (await pendingChecks()).rowCount, completionWait).toBe(0)
    expect((await deliveries(campus))[0]).toEqual(both[0])
    expect(campus.logged.filter(({ name, outcome }) => name === 'tell.drift' && outcome === 'left')).toEqual([])
  })
})
