// What is posted to the doors, by strangers and by the clumsy: nothing is stored that was not proven, and no data of a sender is our failure.

import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { type Campus, completedHook, openCampus, soon, xapiPassword } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

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

function signed(body: string, { id = 'msg_1', at = Date.now(), by = key } = {}) {
  const seconds = String(Math.floor(at / 1_000))
  const signature = createHmac('sha256', by).update(`${id}.${seconds}.${body}`).digest('base64')
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
      'SELECT state, problem FROM delivery ORDER BY id',
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

describeWithDatabase('the doors for learning systems', () => {
  test('refuse whoever proves nothing, and store nothing of theirs', async () => {
    await using campus = await openCampus({ idle: true, systems, pipelines })
    const body = JSON.stringify(shopEvent)
    const old = signed(body, { at: Date.now() - 3_600_000 })
    expect((await campus.post(completedHook(3, 2, { token: 'wrong' }))).status).toBe(401)
    expect((await campus.post(body, '/events/shop')).status).toBe(401)
    expect((await campus.post(body, '/events/shop', signed(body, { by: Buffer.from('another') }))).status).toBe(401)
    expect((await campus.post(body, '/events/shop', signed(`${body} `))).status).toBe(401)
    expect((await campus.post(body, '/events/shop', old)).status).toBe(401)
    expect((await campus.post([], '/xapi/statements/statements', basic('wrong'))).status).toBe(401)
    expect((await campus.post({}, '/events/statements')).status).toBe(404)
    expect(await deliveries(campus)).toEqual([])
  })

  test('take one delivery once, however often it is sent', async () => {
    await using campus = await openCampus({ idle: true, systems, pipelines })
    const body = JSON.stringify(shopEvent)
    for (let n = 0; n < 3; n++) expect((await campus.post(body, '/events/shop', signed(body))).status).toBe(200)
    expect(await deliveries(campus)).toHaveLength(1)
  })

  test('answer before anything is asked of the Moodle, in whose page a learner waits', async () => {
    await using campus = await openCampus({ idle: true })
    const before = campus.lms.journal().length
    expect((await campus.post(completedHook(3, campus.course))).status).toBe(200)
    expect(await deliveries(campus)).toEqual([{ state: 'new', problem: null }])
    expect(campus.lms.journal()).toHaveLength(before)
  })

  test('say 503 while nothing can be stored, and take the same delivery afterwards', async () => {
    await using campus = await openCampus({ idle: true })
    const both = () =>
      Promise.all([
        campus.post(completedHook(3, campus.course)),
        campus.post([statement('6d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9')], '/xapi/statements/statements', basic()),
      ])
    const { database } = campus.world.app
    await database.query('ALTER TABLE delivery RENAME TO elsewhere')
    expect((await both()).map(({ status }) => status)).toEqual([503, 503])
    await database.query('ALTER TABLE elsewhere RENAME TO delivery')
    expect((await both()).map(({ status }) => status)).toEqual([200, 200])
    expect(await deliveries(campus)).toHaveLength(2)
  })

  test('refuse a body that is too large', async () => {
    await using campus = await openCampus({ idle: true, systems, pipelines })
    const body = JSON.stringify({ ...shopEvent, first: 'A'.repeat(3_000) })
    expect((await campus.post(body, '/events/shop', signed(body))).status).toBe(413)
    const large = [
      { ...statement('6d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9'), result: { response: 'A'.repeat(1_000_000) } },
    ]
    const answer = await campus.post(large, '/xapi/statements/statements', basic())
    expect([answer.status, answer.headers.get('x-experience-api-version')]).toEqual([413, '1.0.3'])
    expect(await deliveries(campus)).toEqual([])
  })

  test('answer data that nobody understands by 200, keep them, and go on with what comes after', async () => {
    await using campus = await openCampus({ systems, pipelines })
    const strange = [
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
    for (const [index, body] of strange.entries()) {
      const { status } = await campus.post(body, '/events/shop', signed(body, { id: `msg_${index}` }))
      expect([200, 400, 401]).toContain(status)
    }
    const good = JSON.stringify(shopEvent)
    expect((await campus.post(good, '/events/shop', signed(good, { id: 'msg_good' }))).status).toBe(200)
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    const kept = await deliveries(campus)
    expect(kept.filter(({ state }) => state === 'new')).toEqual([])
    expect(kept.filter(({ state }) => state === 'strange').length).toBeGreaterThanOrEqual(8)
    expect(JSON.stringify(kept)).not.toContain('ada@example.org')
  })

  test('take a statement of one id with other content for a conflict and nothing of its batch, and show none that was voided', async () => {
    await using campus = await openCampus({ idle: true })
    const [one, two] = ['6d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9', '7d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9']
    const post = (body: unknown) => campus.post(body, '/xapi/statements/statements', basic())
    expect((await post(statement(one))).status).toBe(200)
    expect((await post(statement(one))).status).toBe(200)
    expect((await post([statement(two), statement(one, 'OTHER')])).status).toBe(409)
    expect((await post([statement(two), { ...statement(two), verb: 3 }])).status).toBe(400)
    expect(await deliveries(campus)).toHaveLength(1)
    expect(await (await post([])).json()).toEqual([])
    const shown = async (query: string) =>
      (await fetch(`${campus.web.url}/xapi/statements/statements?${query}`, { headers: basic() })).status
    expect(await shown(`statementId=${one}`)).toBe(200)
    const voids = {
      verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
      object: { objectType: 'StatementRef', id: one },
    }
    expect((await post({ ...statement(two), ...voids })).status).toBe(200)
    expect([await shown(`statementId=${one}`), await shown(`voidedStatementId=${one}`)]).toEqual([404, 200])
  })

  test('are not stopped by a learner with a name of a hundred thousand letters, and know one name on two systems for two people', async () => {
    const believed = () => ({ outside: { type: 'xapi', user: 'lms', password: xapiPassword } })
    await using campus = await openCampus({
      systems: believed,
      pipelines: (first) => ({
        outside: { ...first, source: { system: 'outside', course: 'https://campus.example/FIRE-1' }, writeBack: [] },
      }),
    })
    const long = statement('6d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9')
    // Of no order, or the database would pack it.
    long.actor.account.name = randomBytes(50_000).toString('hex')
    const mail = { ...statement('7d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9'), actor: { mbox: 'mailto:ada@example.org' } }
    const elsewhere = statement('8d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9')
    elsewhere.actor.account.homePage = 'https://other.example'
    const here = statement('9d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9')
    expect((await campus.post([long, mail, elsewhere, here], '/xapi/outside/statements', basic())).status).toBe(200)
    await expect
      .poll(async () => (await deliveries(campus)).map(({ state }) => state), soon)
      .toEqual(['strange', 'judged', 'judged', 'judged'])
    const { rows } = await campus.world.app.database.query<{ learner: string }>(
      'SELECT learner FROM completion ORDER BY id',
    )
    const learners = ['ada@example.org', 'https://other.example 3', 'https://campus.example 3']
    expect(rows.map(({ learner }) => learner)).toEqual(learners)
  })
})

describeWithDatabase('a stranger', () => {
  test('who never ends a request keeps no worker from ending', async () => {
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
