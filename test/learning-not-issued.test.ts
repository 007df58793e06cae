// Completions that become no credential: each target that has a word for it hears why, and no gradebook hears anything.

import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openCampus, profileFields, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'
import { ltiTool } from './support/lti-tool.ts'
import { json, openScriptedServer } from './support/scripted-server.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`
/** What the service does with an address that begins so. */
const fates = { reject: 'rejected', fail: 'failed', hold: 'held' } as const

describeWithDatabase('a completion that becomes no credential', () => {
  test('is told as what it became to profiles and to our own address, and to no gradebook', async () => {
    const ours = await openScriptedServer()
    await using closing = new AsyncDisposableStack()
    closing.defer(() => ours.close())
    ours.on('/hear', json(200, {}))
    const campus = closing.use(
      await openCampus({
        every: '300ms',
        ...ltiTool,
        courseOf: { ...ltiTool.courseOf, assignment: { name: 'Credential', idnumber: 'FIRE-cred' } },
        writeBack: (_lms, { lineItem }) => [
          { to: 'moodle-profile', system: 'campus', fields: profileFields },
          { to: 'webhook', url: `${ours.url}/hear`, secret },
          { to: 'moodle-assignment', system: 'campus', assignment: 'FIRE-cred' },
          { to: 'lti', system: 'gradebook', lineItem },
        ],
      }),
    )
    const learners = Object.entries(fates).map(([begin, state]) => {
      const id = campus.enrol(begin, { email: `${begin}.ada@example.org`, username: begin })
      return { id, state }
    })
    for (const { id } of learners) await campus.lms.complete(id, campus.course)
    const standing = async () =>
      (await campus.world.app.ledger.tells.standing()).map(({ target, pending, verified, written, failed }) => [
        target.split(' ')[0],
        { pending, verified, written, failed },
      ])
    const all = { pending: 0, verified: 0, written: 0, failed: 0 }
    await expect.poll(standing, soon).toEqual([
      ['lti', { ...all, written: 3 }],
      ['moodle-assignment', { ...all, written: 3 }],
      ['moodle-profile', { ...all, verified: 3 }],
      ['webhook', { ...all, verified: 3 }],
    ])
    for (const { id, state } of learners) {
      const { credid = '', credurl = '', credstatus } = await campus.profileOf(id)
      expect({ credid, credurl, credstatus }).toEqual({ credid: '', credurl: '', credstatus: state })
    }
    const told = ours.seen.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    ) as { type: string; data: Record<string, unknown> }[]
    expect(told.map(({ type, data }) => [data.learner, type, data.reason, data.credentialId])).toEqual(
      expect.arrayContaining(
        learners.map(({ id, state }) => [
          { id: String(id) },
          `credential.${state}`,
          { code: state, sentence: expect.stringMatching(/\w/) },
          undefined,
        ]),
      ),
    )
    expect(told).toHaveLength(3)
    expect(JSON.stringify(told)).not.toMatch(/example\.org|Lovelace|Somebody-Else/)
    const marks = campus.lms.journal().filter((entry) => /assignment grade|POST scores/.test(JSON.stringify(entry)))
    expect(marks).toEqual([])
  })
})
