// What a learning system is told when the credential of a learner changes: the newest word stands, and it is true.

import { expect, test } from 'vitest'
import { openCampus, profileFields, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'
import { want } from './support/revoking.ts'

/** For a system that tells no names. */
const columns = {
  Email: 'email',
  'Primary Value': { value: 'Email' },
  'First Name': { value: 'Ada' },
  'Last Name': { value: 'Lovelace' },
}
const dayMs = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * dayMs)

describeWithDatabase('the profile of a learner in Moodle', () => {
  test('shows that the credential was revoked', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    await want(campus.world, 1)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'revoked' })
    expect((await campus.profileOf(ada)).credurl ?? '').toBe('')
  })

  test('shows the corrected credential in place of the old one', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    await want(campus.world, 1, 'Byron')
    const corrected = () => campus.world.sandbox.requests()[1]?.credentialId ?? 'none yet'
    await expect.poll(async () => (await campus.profileOf(ada)).credid === corrected(), soon).toBe(true)
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
    // Nothing is left to be told: whoever asks for it would do so for ever.
    await expect.poll(() => campus.world.app.ledger.tells.waiting(campus.world.app.learning.targets), soon).toEqual([])
  })

  test('keeps the newer credential when the older one is revoked after it', async () => {
    await using campus = await openCampus({ every: '1s', renewAfter: '180d', moodle: { sweep: '1s' } })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course, ago(400))
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    await campus.lms.recomplete(ada, campus.course, ago(1))
    const second = () => campus.world.sandbox.requests()[1]?.credentialId ?? 'none yet'
    await expect.poll(async () => (await campus.profileOf(ada)).credid === second(), soon).toBe(true)
    await want(campus.world, 1)
    await expect.poll(() => campus.states(), soon).toEqual(['revoked', 'issued'])
    const { tells } = campus.world.app.ledger
    const left = async () => (await tells.standing()).map(({ pending, verified }) => ({ pending, verified }))
    await expect.poll(left, soon).toEqual([{ pending: 0, verified: 2 }])
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued', credid: second() })
  })

  test('shows the older credential, which is valid, when the newer one is revoked', async () => {
    await using campus = await openCampus({ every: '1s', renewAfter: '180d', moodle: { sweep: '1s' } })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course, ago(400))
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    const { credid } = await campus.profileOf(ada)
    await campus.lms.recomplete(ada, campus.course, ago(1))
    await expect.poll(async () => (await campus.profileOf(ada)).credid !== credid, soon).toBe(true)
    await want(campus.world, 2)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued', credid })
  })

  test('keeps the newer credential when an older completion is told after it', async () => {
    const secret = 'a-token-of-the-shop-that-is-long'
    const map = { learner: { id: '/learner' }, course: '/course', completedAt: '/at', fields: { email: '/email' } }
    await using campus = await openCampus({
      systems: () => ({ shop: { type: 'webhook', auth: { type: 'bearer', secret }, map } }),
      pipeline: { source: { system: 'shop', course: 'SHOP-1', renewAfter: '180d' }, columns },
    })
    const ada = campus.enrol('ada')
    const tell = async (days: number) => {
      const event = { learner: ada, course: 'SHOP-1', at: ago(days), email: 'ada@example.org' }
      expect((await campus.post(event, '/events/shop', { authorization: `Bearer ${secret}` })).status).toBe(200)
    }
    await tell(1)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    const newer = await campus.profileOf(ada)
    await tell(400)
    const { tells } = campus.world.app.ledger
    const left = async () => (await tells.standing()).map(({ pending, verified }) => ({ pending, verified }))
    await expect.poll(left, soon).toEqual([{ pending: 0, verified: 2 }])
    expect(campus.world.sandbox.requests()).toHaveLength(2)
    expect(await campus.profileOf(ada)).toEqual(newer)
  })

  test('is told of by a clear sentence when Moodle says yes and has no such field', async () => {
    const fields = { ...profileFields, nosuchfield: 'issued' }
    const writeBack = () => [{ to: 'moodle-profile', system: 'campus', fields }]
    await using campus = await openCampus({ every: '1s', writeBack })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    const standing = async () => (await campus.world.app.ledger.tells.standing())[0]
    await expect.poll(standing, soon).toMatchObject({ failed: 1, problem: expect.stringContaining('nosuchfield') })
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })
})

describeWithDatabase('an assignment in Moodle', () => {
  test('shows the credential as a comment', async () => {
    const writeBack = () => [{ to: 'moodle-assignment', system: 'campus', assignment: 'FIRE-cred' }]
    const courseOf = { assignment: { name: 'Credential', idnumber: 'FIRE-cred' } }
    await using campus = await openCampus({ every: '1s', writeBack, courseOf })
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    const standing = async () => (await campus.world.app.ledger.tells.standing())[0]
    await expect.poll(standing, soon).toMatchObject({ verified: 1, problem: null })
    expect(campus.lms.journal()).toContainEqual(expect.objectContaining({ what: 'assignment grade', learner: ada }))
  })
})
