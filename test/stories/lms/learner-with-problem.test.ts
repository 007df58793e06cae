// The learner affected by a problem is identified by the learning system's user id, in `events`, its JSON and the log;
// `explain` finds the learner by this id.

import { expect, test } from 'vitest'
import { completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

describeWithDatabase('a learner with a problem', () => {
  test('is identified by user id if Moodle refused a write', async () => {
    await using campus = await openCampus({ every: '1s' })
    const { lms, course } = campus
    // Makes her a site administrator, whose profile the web service cannot write.
    const ada = campus.enroll('ada')
    lms.refuseWriting(ada)
    await lms.complete(ada, course)
    const problem = `Learner ${ada}: Moodle refused to write to this learner (usernotupdatedadmin).`
    const shownProblem = async () => JSON.parse((await campus.runCli('events', '--json')).stdout).deliveries[0]?.problem
    await expect.poll(shownProblem, completionWait).toBe(problem)
    expect((await campus.runCli('events')).stdout).toContain(problem)
    expect(campus.logged).toContainEqual(expect.objectContaining({ name: 'delivery.failed', learner: String(ada) }))
    expect((await campus.runCli('events')).stdout).not.toContain('Lovelace')
  })

  test('that is a deleted account needs no operator: what was to be delivered is settled, and asked for no more', async () => {
    await using campus = await openCampus({
      every: '1s',
      courseFields: { assignment: { name: 'Credential', idnumber: 'cred' } },
      pipeline: {
        writeBack: [
          { to: 'moodle-profile', system: 'campus', fields: { credid: 'credential', credstatus: 'status' } },
          { to: 'moodle-assignment', system: 'campus', assignment: 'cred' },
        ],
      },
    })
    const { lms, course } = campus
    const ada = campus.enroll('ada')
    await lms.complete(ada, course)
    const deliveries = async () => JSON.parse((await campus.runCli('events', '--json')).stdout).deliveries
    await expect.poll(deliveries, completionWait).toMatchObject([{ verified: 1 }, { verified: 1 }])
    lms.deleteAccount(ada)
    await campus.runCli('revoke', 'i1', '--yes', '--reason', 'left')
    await expect.poll(deliveries, completionWait).toMatchObject([
      { accountDeleted: 1, verified: 0, failed: 0, problem: null },
      { accountDeleted: 1, verified: 0, failed: 0, problem: null },
    ])
    expect(campus.logged.map(({ name }) => name)).not.toContain('delivery.failed')
    const { code, stdout } = await campus.runCli('events')
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 whose account was deleted')])
    expect((await campus.runCli('explain', String(ada))).stdout).toContain('revoked, account deleted 2')
    expect(JSON.parse((await campus.runCli('events', 'deliver', '--all', '--json')).stdout)).toEqual({
      deliveries: 0,
      added: 0,
    })
  })

  test('and others who completed without a date are listed together, after a poll and after an event', async () => {
    await using campus = await openCampus({ every: '1s' })
    const { lms, course } = campus
    const [ada, alan] = [campus.enroll('ada'), campus.enroll('alan')]
    const noTime = new Date(0)
    await lms.complete(ada, course, noTime)
    await lms.complete(alan, course, noTime)
    const problem = `Learners ${ada}, ${alan}: A learner completed the course, but no completion criterion has a time`
    const currentProblem = async () => JSON.parse((await campus.runCli('events', '--json')).stdout).systems[0]?.problem
    await expect.poll(currentProblem, completionWait).toContain(`Pipeline spring: ${problem}`)
    expect(campus.logged).toContainEqual(
      expect.objectContaining({ name: 'system.strange', learner: `${ada}, ${alan}` }),
    )
  })
})
