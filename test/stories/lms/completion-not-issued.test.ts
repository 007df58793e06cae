// Completions without a credential: each target with a field for the status gets the reason, and gradebooks get
// nothing.

import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { completionWait, openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { ltiTool } from '#test/support/lti-campus-options.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`
/** The outcome in the service for an e-mail address with this prefix. */
const stateByPrefix = { reject: 'rejected', fail: 'failed', hold: 'held' } as const

describeWithDatabase('a completion without a credential', () => {
  test('is delivered with its outcome to profiles and to our webhook, but to no gradebook', async () => {
    const receiver = await openScriptedServer()
    await using stack = new AsyncDisposableStack()
    stack.defer(() => receiver.close())
    receiver.on('/hook', json(200, {}))
    const campus = stack.use(
      await openCampus({
        every: '300ms',
        ...ltiTool,
        courseFields: { ...ltiTool.courseFields, assignment: { name: 'Credential', idnumber: 'FIRE-cred' } },
        writeBack: (_lms, { lineItem }) => [
          { to: 'moodle-profile', system: 'campus', fields: profileFields },
          { to: 'webhook', url: `${receiver.url}/hook`, secret },
          { to: 'moodle-assignment', system: 'campus', assignment: 'FIRE-cred' },
          { to: 'lti', system: 'gradebook', lineItem },
        ],
      }),
    )
    const learners = Object.entries(stateByPrefix).map(([prefix, state]) => {
      const id = campus.enroll(prefix, { email: `${prefix}.ada@example.org`, username: prefix })
      return { id, state }
    })
    for (const { id } of learners) await campus.lms.complete(id, campus.course)
    const deliveryCounts = async () =>
      (await campus.world.app.ledger.deliveries.counts()).map(({ target, pending, verified, written, failed }) => [
        target.split(' ')[0],
        { pending, verified, written, failed },
      ])
    const noDeliveries = { pending: 0, verified: 0, written: 0, failed: 0 }
    await expect.poll(deliveryCounts, completionWait).toEqual([
      ['lti', { ...noDeliveries, written: 3 }],
      ['moodle-assignment', { ...noDeliveries, written: 3 }],
      ['moodle-profile', { ...noDeliveries, verified: 3 }],
      ['webhook', { ...noDeliveries, verified: 3 }],
    ])
    for (const { id, state } of learners) {
      const { credid = '', credurl = '', credstatus } = await campus.profileOf(id)
      expect({ credid, credurl, credstatus }).toEqual({ credid: '', credurl: '', credstatus: state })
    }
    const received = receiver.seen.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    ) as { type: string; data: Record<string, unknown> }[]
    expect(received.map(({ type, data }) => [data.learner, type, data.reason, data.credentialId])).toEqual(
      expect.arrayContaining(
        learners.map(({ id, state }) => [
          { id: String(id) },
          `credential.${state}`,
          { code: state, sentence: expect.stringMatching(/\w/) },
          undefined,
        ]),
      ),
    )
    expect(received).toHaveLength(3)
    expect(JSON.stringify(received)).not.toMatch(/example\.org|Lovelace|Somebody-Else/)
    const gradesWritten = campus.lms
      .journal()
      .filter((entry) => /assignment grade|POST scores/.test(JSON.stringify(entry)))
    expect(gradesWritten).toEqual([])
  })
})
