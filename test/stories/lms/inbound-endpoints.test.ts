// Requests to the endpoints from unauthenticated and faulty senders: nothing unauthenticated is stored, and invalid
// data never causes a failure in credsync.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { type Campus, completedHook, completionWait, openCampus, xapiPassword } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const key = Buffer.from('a key that only two of us know, ever')
const secret = `whsec_${key.toString('base64')}`
const systems = () => ({
  shop: {
    type: 'webhook',
    auth: { type: 'standard-webhooks', secret },
    map: {
      learner: { id: '/learner', email: '/email' },
      course: '/course',
      completedAt: { pointer: '/at', format: 'iso' },
      fields: { firstname: '/first', lastname: '/last' },
    },
    maxBytes: 2_000,
  },
})
const pipelines = (first: Record<string, unknown>) => ({
  shop: { ...first, source: { system: 'shop', course: 'SHOP-1' }, writeBack: [] },
})

function signed(body: string, { id = 'msg_1', at = Date.now(), signingKey = key } = {}) {
  const seconds = String(Math.floor(at / 1_000))
  const signature = createHmac('sha256', signingKey).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}

const shopEvent = {
  learner: 'u-1',
  email: 'ada@example.org',
  course: 'SHOP-1',
  at: '2026-01-02',
  first: 'Ada',
  last: 'L',
}
const deliveries = async ({ world }: Campus) =>
  (
    await world.app.database.query<{ state: string; problem: string | null }>(
      'SELECT state, problem FROM inbound_event ORDER BY id',
    )
  ).rows
const basic = (password = xapiPassword) => ({
  authorization: `Basic ${Buffer.from(`lms:${password}`).toString('base64')}`,
  'x-experience-api-version': '1.0.3',
})
const statement = (id: string, course = 'FIRE-1') => ({
  id,
  actor: { account: { homePage: 'https://campus.example', name: '3' } },
  verb: { id: 'http://adlnet.gov/expapi/verbs/completed' },
  object: {
    id: `https://campus.example/${course}`,
    definition: { type: 'http://adlnet.gov/expapi/activities/course' },
  },
})

describeWithDatabase('the endpoints for learning systems', () => {
  test('reject unauthenticated requests and store nothing from them', async () => {
    await using campus = await openCampus({ idle: true, systems, pipelines })
    const body = JSON.stringify(shopEvent)
    const oldSignature = signed(body, { at: Date.now() - 3_600_000 })
    expect((await campus.post(completedHook(3, 2, { token: 'wrong' }))).status).toBe(401)
    expect((await campus.post(body, '/events/shop')).status).toBe(401)
    expect((await campus.post(body, '/events/shop', signed(body, { signingKey: Buffer.from('another') }))).status).toBe(
      401,
    )
    expect((await campus.post(body, '/events/shop', signed(`${body} `))).status).toBe(401)
    expect((await campus.post(body, '/events/shop', oldSignature)).status).toBe(401)
    expect((await campus.post([], '/xapi/statements/statements', basic('wrong'))).status).toBe(401)
    expect((await campus.post({}, '/events/statements')).status).toBe(404)
    expect(await deliveries(campus)).toEqual([])
  })

  test('log the first wrong password of each endpoint immediately, and later ones as a total', async () => {
    await using campus = await openCampus({ idle: true })
    for (let n = 1; n <= 3; n++) {
      expect((await campus.post([], '/xapi/statements/statements', basic('wrong'))).status).toBe(401)
      expect((await campus.post(completedHook(3, 2, { token: 'wrong' }))).status).toBe(401)
    }
    expect(campus.logged.filter(({ name }) => name === 'inbound_event.refused')).toHaveLength(2)
    await campus.web[Symbol.asyncDispose]()
    expect(campus.logged.filter(({ name }) => name === 'inbound_event.refused')).toHaveLength(4)
  })

  test('store an event once, however often it is sent', async () => {
    await using campus = await openCampus({ idle: true, systems, pipelines })
    const body = JSON.stringify(shopEvent)
    for (let n = 0; n < 3; n++) expect((await campus.post(body, '/events/shop', signed(body))).status).toBe(200)
    expect(await deliveries(campus)).toHaveLength(1)
  })

  test('store no header that may contain a secret', async () => {
    await using campus = await openCampus({ idle: true, systems, pipelines })
    const body = JSON.stringify(shopEvent)
    const secrets = { authorization: 'Bearer planted', cookie: 'session=planted', 'x-api-key': 'planted' }
    expect((await campus.post(body, '/events/shop', { ...signed(body), ...secrets })).status).toBe(200)
    const { rows } = await campus.world.app.database.query<{ headers: object }>('SELECT headers FROM inbound_event')
    expect(Object.keys(rows[0]?.headers ?? {}).sort()).toEqual(['content-type', 'user-agent', 'webhook-id'])
  })

  test('respond before Moodle is called, because a learner is waiting for the page', async () => {
    await using campus = await openCampus({ idle: true })
    const callsBefore = campus.lms.journal().length
    expect((await campus.post(completedHook(3, campus.course))).status).toBe(200)
    expect(await deliveries(campus)).toEqual([{ state: 'new', problem: null }])
    expect(campus.lms.journal()).toHaveLength(callsBefore)
  })

  test('return 503 while nothing can be stored, and accept the same event afterwards', async () => {
    await using campus = await openCampus({ idle: true })
    const postBoth = () =>
      Promise.all([
        campus.post(completedHook(3, campus.course)),
        campus.post([statement('6d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9')], '/xapi/statements/statements', basic()),
      ])
    const { database } = campus.world.app
    await database.query('ALTER TABLE inbound_event RENAME TO elsewhere')
    const refusals = await postBoth()
    expect(refusals.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '5'],
      [503, '5'],
    ])
    await database.query('ALTER TABLE elsewhere RENAME TO inbound_event')
    expect((await postBoth()).map(({ status }) => status)).toEqual([200, 200])
    expect(await deliveries(campus)).toHaveLength(2)
  })

  test('reject a body that is too large', async () => {
    await using campus = await openCampus({ idle: true, systems, pipelines })
    const body = JSON.stringify({ ...shopEvent, first: 'A'.repeat(3_000) })
    expect((await campus.post(body, '/events/shop', signed(body))).status).toBe(413)
    const largeStatements = [
      { ...statement('6d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9'), result: { response: 'A'.repeat(1_000_000) } },
    ]
    const answer = await campus.post(largeStatements, '/xapi/statements/statements', basic())
    expect([answer.status, answer.headers.get('x-experience-api-version')]).toEqual([413, '1.0.3'])
    expect(await deliveries(campus)).toEqual([])
  })

  test('return 200 for data that cannot be parsed, keep the data, and continue with later events', async () => {
    await using campus = await openCampus({ systems, pipelines })
    const unreadableBodies = [
      'not JSON',
      '',
      '[]',
      'null',
      '"\\u0000"',
      '{"learner":"\\u0000","course":"SHOP-1","at":"2026-01-02"}',
      JSON.stringify({ ...shopEvent, first: 'A\u0000B' }),
      JSON.stringify({ ...shopEvent, first: '\ud800' }).replace('\ud800', '\\ud800'),
      JSON.stringify({ ...shopEvent, learner: { deep: true } }),
      JSON.stringify({ ...shopEvent, at: '9999-99-99' }),
      JSON.stringify({ ...shopEvent, course: 'NOBODY-KNOWS' }),
      '['.repeat(900) + ']'.repeat(900),
    ]
    for (const [index, body] of unreadableBodies.entries()) {
      const { status } = await campus.post(body, '/events/shop', signed(body, { id: `msg_${index}` }))
      expect([200, 400, 401]).toContain(status)
    }
    const good = JSON.stringify(shopEvent)
    expect((await campus.post(good, '/events/shop', signed(good, { id: 'msg_good' }))).status).toBe(200)
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    const stored = await deliveries(campus)
    expect(stored.filter(({ state }) => state === 'new')).toEqual([])
    expect(stored.filter(({ state }) => state === 'strange').length).toBeGreaterThanOrEqual(8)
    expect(JSON.stringify(stored)).not.toContain('ada@example.org')
  })
})

describeWithDatabase('an unauthenticated client', () => {
  test('that never finishes a request does not prevent a worker from stopping', async () => {
    await using campus = await openCampus({ idle: true })
    const { app } = campus.world
    const clock = { ...app.clock, sleep: () => Promise.resolve() }
    const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
    const web = await serveWeb({ ...app, clock }, metrics, { host: '127.0.0.1', port: 0 })
    const socket = connect(Number(new URL(web.url).port), '127.0.0.1')
    socket.on('error', () => {})
    const lines = ['POST /events/hooks HTTP/1.1', 'host: x', 'content-length: 9', 'expect: 100-continue', '', '{']
    socket.write(lines.join('\r\n'))
    await once(socket, 'data')
    const closed = once(socket, 'close')
    await web[Symbol.asyncDispose]()
    await closed
  })
})
