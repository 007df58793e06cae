// Deliveries to a learning system when a learner's credential changes: the system shows the newest valid state.

import { expect, test } from 'vitest'
import { completionWait, openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { requestRevocation } from '#test/support/revocation-steps.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

describeWithDatabase('the profile of a learner in Moodle', () => {
  test('shows that the credential was revoked', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    await requestRevocation(campus.world, 1)
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'revoked' })
    expect((await campus.profileOf(ada)).credurl ?? '').toBe('')
  })

  test('shows the corrected credential in place of the old one', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    await requestRevocation(campus.world, 1, 'Byron')
    const corrected = () => campus.world.sandbox.requests()[1]?.credentialId ?? 'none yet'
    await expect.poll(async () => (await campus.profileOf(ada)).credid === corrected(), completionWait).toBe(true)
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
    // No delivery remains due; otherwise it would be repeated forever.
    await expect
      .poll(() => campus.world.app.ledger.deliveries.waiting(campus.world.app.learning.targets), completionWait)
      .toEqual([])
  })

  test('shows the corrected credential of a course that was completed again', async () => {
    await using campus = await openCampus({ every: '300ms', sweep: '300ms', renewAfter: '180d' })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course, daysAgo(400))
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    await campus.lms.recomplete(ada, campus.course, daysAgo(1))
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued', 'issued'])
    for (const [corrected, name, replacement, states] of [
      ['i2', 'King', 'i3', ['issued', 'revoked', 'issued']],
      ['i3', 'Noel', 'i4', ['issued', 'revoked', 'revoked', 'issued']],
    ] as const) {
      const result = await campus.runCli('correct', corrected, '--set', `Last Name=${name}`, '--yes', '--by', 'me')
      expect([result.code, result.stderr]).toEqual([0, expect.stringContaining(`${replacement} takes its place`)])
      await expect.poll(() => campus.states(), completionWait).toEqual(states)
    }
    const [, , , last] = campus.world.sandbox.requests()
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credid: last?.credentialId })
  })

  test('is reported with a clear message if Moodle confirms a write but has no such field', async () => {
    const fields = { ...profileFields, nosuchfield: 'issued' }
    const writeBack = () => [{ to: 'moodle-profile', system: 'campus', fields }]
    await using campus = await openCampus({ every: '1s', writeBack })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    const deliveryCounts = async () => (await campus.world.app.ledger.deliveries.counts())[0]
    await expect
      .poll(deliveryCounts, completionWait)
      .toMatchObject({ failed: 1, problem: expect.stringContaining('nosuchfield') })
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })
})

describeWithDatabase('an assignment in Moodle', () => {
  test('shows the credential as a comment', async () => {
    const writeBack = () => [{ to: 'moodle-assignment', system: 'campus', assignment: 'FIRE-cred' }]
    const courseFields = { assignment: { name: 'Credential', idnumber: 'FIRE-cred' } }
    await using campus = await openCampus({ every: '1s', writeBack, courseFields })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    const deliveryCounts = async () => (await campus.world.app.ledger.deliveries.counts())[0]
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1, problem: null })
    expect(campus.lms.journal()).toContainEqual(expect.objectContaining({ what: 'assignment grade', learner: ada }))
  })

  test('of a course that Moodle no longer shows does not count as written, and waits until it is shown', async () => {
    await using campus = await openCampus({
      courseFields: { assignment: { name: 'Credential', idnumber: 'CREDENTIAL' } },
      writeBack: () => [{ to: 'moodle-assignment', system: 'campus', assignment: 'CREDENTIAL', grade: 100 }],
    })
    await campus.lms.complete(campus.enroll('ada'), campus.course)
    const { ledger, database } = campus.world.app
    const deliveryCounts = async () => (await ledger.deliveries.counts())[0]
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1 })
    await database.query(`UPDATE completion SET course = 'GONE-1'`)
    await requestRevocation(campus.world, 1)
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ written: 0, pending: 1, refused: 1 })
    expect((await campus.runCli('events')).stdout).toContain('Moodle shows no course with the ID number')
    await database.query(`UPDATE completion SET course = 'FIRE-1'`)
    await campus.runCli('events', 'deliver', '--pipeline', 'spring')
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1, pending: 0 })
  })
})
