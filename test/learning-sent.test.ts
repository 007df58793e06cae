// Outcomes told by signed events, checked with the library of the standard.

import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openCampus, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'
import { want } from './support/revoking.ts'
import { json, openScriptedServer, raw, type Script } from './support/scripted-server.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`

async function listening(...scripts: [Script, ...Script[]]) {
  const server = await openScriptedServer()
  server.on('/hear', ...scripts)
  const writeBack = () => [{ to: 'webhook', url: `${server.url}/hear`, secret }]
  const campus = await openCampus({ every: '300ms', writeBack })
  const standing = async () => (await campus.world.app.ledger.tells.standing())[0]
  const closing = new AsyncDisposableStack()
  closing.defer(() => server.close())
  closing.use(campus)
  return { server, campus, standing, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

describeWithDatabase('events to a system of ours', () => {
  test('are signed, each id once for each state, and hold nobody by name', async () => {
    await using place = await listening(json(200, {}))
    const { server, campus } = place
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => server.seen.length, soon).toBe(1)
    await want(campus.world, 1)
    await expect.poll(() => server.seen.length, soon).toBe(2)
    const events = server.seen.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    )
    expect(events).toMatchObject([{ type: 'credential.issued' }, { type: 'credential.revoked' }])
    expect(new Set(server.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    expect(JSON.stringify(events)).not.toMatch(/example\.org|Lovelace/)
  })

  test('that were answered by 500 come again, with the same id', async () => {
    await using place = await listening(raw(500, 'no'), json(200, {}))
    const { server, campus, standing } = place
    await campus.lms.complete(campus.enrol('ada'), campus.course)
    await expect.poll(standing, soon).toMatchObject({ pending: 1, problem: expect.stringContaining('500') })
    await campus.world.app.database.query('UPDATE tell SET due_at = clock_timestamp()')
    await expect.poll(standing, soon).toMatchObject({ verified: 1 })
    const [first, second] = server.seen.map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first)
  })

  test('are not sent to an address any more that answered 410, until somebody says so', async () => {
    await using place = await listening(raw(410, 'gone'), json(200, {}))
    const { server, campus, standing } = place
    await campus.lms.complete(campus.enrol('ada'), campus.course)
    await expect.poll(standing, soon).toMatchObject({ failed: 1 })
    await campus.lms.complete(campus.enrol('byron'), campus.course)
    await expect
      .poll(standing, soon)
      .toMatchObject({ failed: 2, problem: expect.stringContaining('no events any more') })
    expect(server.seen).toHaveLength(1)
    expect(campus.world.sandbox.requests()).toHaveLength(2)
    // As `credsync events tell` does.
    await campus.world.app.ledger.tells.again('spring')
    await expect.poll(standing, soon).toMatchObject({ verified: 2, failed: 0 })
  })
})
