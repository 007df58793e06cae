// Outcomes that are delivered as signed events, verified with the standard's library.

import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { requestRevocation } from '#test/support/revocation-steps.ts'
import { json, openScriptedServer, raw, type Script } from '#test/support/scripted-server.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`

async function openReceiver(...scripts: [Script, ...Script[]]) {
  const server = await openScriptedServer()
  server.on('/hook', ...scripts)
  const writeBack = () => [{ to: 'webhook', url: `${server.url}/hook`, secret }]
  const campus = await openCampus({ every: '300ms', writeBack })
  const deliveryCounts = async () => (await campus.world.app.ledger.deliveries.counts())[0]
  const closing = new AsyncDisposableStack()
  closing.defer(() => server.close())
  closing.use(campus)
  return { server, campus, deliveryCounts, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

describeWithDatabase('events to a webhook', () => {
  test('are signed, have one id for each state, and contain no personal data', async () => {
    await using opened = await openReceiver(json(200, {}))
    const { server, campus } = opened
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => server.seen.length, completionWait).toBe(1)
    await requestRevocation(campus.world, 1)
    await expect.poll(() => server.seen.length, completionWait).toBe(2)
    const events = server.seen.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    )
    expect(events).toMatchObject([{ type: 'credential.issued' }, { type: 'credential.revoked' }])
    expect(new Set(server.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    expect(JSON.stringify(events)).not.toMatch(/example\.org|Lovelace/)
  })

  test('that got a 500 are sent again with the same id', async () => {
    await using opened = await openReceiver(raw(500, 'no'), json(200, {}))
    const { server, campus, deliveryCounts } = opened
    await campus.lms.complete(campus.enroll('ada'), campus.course)
    await expect
      .poll(deliveryCounts, completionWait)
      .toMatchObject({ pending: 1, problem: expect.stringContaining('500') })
    await campus.world.app.database.query('UPDATE delivery SET due_at = clock_timestamp()')
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1 })
    const [first, second] = server.seen.map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first)
  })

  test('are no longer sent to a URL that returned 410, until an operator resumes the deliveries', async () => {
    await using opened = await openReceiver(raw(410, 'gone'), json(200, {}))
    const { server, campus, deliveryCounts } = opened
    await campus.lms.complete(campus.enroll('ada'), campus.course)
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ failed: 1 })
    await campus.lms.complete(campus.enroll('byron'), campus.course)
    await expect
      .poll(deliveryCounts, completionWait)
      .toMatchObject({ failed: 2, problem: expect.stringContaining('no longer accepts events') })
    expect(server.seen).toHaveLength(1)
    expect(campus.world.sandbox.requests()).toHaveLength(2)
    // This is what `credsync events deliver` does.
    await campus.world.app.ledger.deliveries.again('spring', campus.world.app.learning.targetsOf('spring'))
    await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 2, failed: 0 })
  })
})
