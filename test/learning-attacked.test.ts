// Events and names that were made to do harm, and what a person changes about events that were counted: nobody else waits, nobody is issued twice.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { askSystem } from '#jobs/ask-system.ts'
import { compareRules } from '#jobs/compare-rules.ts'
import { intake } from '#jobs/intake.ts'
import { judge } from '#jobs/judge.ts'
import { CanvasError } from '#src/canvas/canvas-error.ts'
import type { AskedSystem } from '#src/learning/asked-system.ts'
import { openLearning } from '#src/learning/open-learning.ts'
import { openPipelines } from '#src/pipelines/pipelines.ts'
import { type Campus, type CampusOptions, hookToken, openCampus, xapiPassword } from './support/campus.ts'
import { openCanvasSite } from './support/canvas-site.ts'
import { describeWithDatabase } from './support/database.ts'

const fields = { email: '/mail', firstname: '/first', lastname: '/last' }
const shop = (map: object = {}) => ({
  type: 'webhook',
  auth: { type: 'body', pointer: '/token', secret: hookToken },
  map: { list: '/events', learner: '/user', course: '/course', completedAt: '/at', fields, ...map },
})
const ofShop: CampusOptions = {
  idle: true,
  systems: () => ({
    shop: shop(),
    lms: { type: 'xapi', user: 'lms', password: xapiPassword, homePage: 'https://lms.example' },
  }),
  pipeline: { source: { system: 'shop', course: 'SHOP-1', renewAfter: '30d' }, writeBack: [] },
}
const event = (user: string, more: object = {}) => ({
  ...{ user, course: 'SHOP-1', at: '2026-01-02', mail: `${user}@example.org`, first: user, last: 'Lovelace' },
  ...more,
})
const deliver = (campus: Campus, ...events: object[]) => campus.post({ events, token: hookToken }, '/events/shop')

const rows = async <Row extends object>({ world }: Campus, sql: string) =>
  (await world.app.database.query<Row>(sql)).rows
const states = (campus: Campus) => rows(campus, 'SELECT state FROM delivery ORDER BY id')
const learners = async (campus: Campus) =>
  (await rows<{ learner: string }>(campus, 'SELECT learner FROM completion ORDER BY id')).map(({ learner }) => learner)

/** The tools of a worker whose configuration maps the events of the shop in this way. */
function mapped({ world: { app, settings } }: Campus, map: object) {
  const file = parseFileSettings({
    ...settings.file,
    systems: { ...settings.file.systems, shop: shop(map) },
    pipelines: { spring: settings.file.pipelines.spring },
  })
  const wire = { send: app.wire.send, clock: app.clock, random: () => 0.5 }
  const learning = openLearning(file, { ...wire, gateFor: () => (work) => work() })
  return { ...app, learning, pipelines: openPipelines(file.pipelines) }
}

async function readAll(campus: Campus, tools: Parameters<typeof intake>[0]): Promise<void> {
  for (const { id } of await rows<{ id: string }>(campus, `SELECT id FROM run WHERE state = 'received'`))
    await intake(tools, { runId: id })
}

describeWithDatabase('an event', () => {
  test('with an id that no index takes keeps no other waiting', async () => {
    await using campus = await openCampus(ofShop)
    const random = crypto.getRandomValues(new Uint16Array(1_000))
    const long = String.fromCharCode(...random.map((n) => 0x4e00 + (n % 20_000)))
    await deliver(campus, event(long))
    await deliver(campus, event('ada'))
    await judge(campus.world.app, { system: 'shop' })
    expect(await states(campus)).toEqual([{ state: 'strange' }, { state: 'judged' }])
    expect(await learners(campus)).toEqual(['ada'])
  })

  test('that is mapped to another time is no second occasion, and a person is told; one that was refused is tried with it', async () => {
    await using campus = await openCampus(ofShop)
    const { app } = campus.world
    const enrolled = { enrolled: '2025-03-01' }
    const addressed = (user: string) => ({ ...enrolled, other: `${user}@example.org` })
    await deliver(campus, event('ada', addressed('ada')), event('bob', { ...addressed('bob'), mail: 'none' }))
    const before = mapped(campus, { completedAt: '/enrolled' })
    await judge(before, { system: 'shop' })
    await readAll(campus, before)
    expect(await campus.states()).toEqual(['pending'])
    const mended = mapped(campus, { fields: { ...fields, email: '/other' } })
    await compareRules(mended, { pipeline: 'spring' })
    await judge(mended, { system: 'shop' })
    await readAll(campus, mended)
    expect(await campus.states()).toEqual(['pending', 'pending'])
    expect(await rows(campus, 'SELECT learner, completed_at AS at FROM completion ORDER BY learner')).toEqual([
      { learner: 'ada', at: new Date('2025-03-01') },
      { learner: 'bob', at: new Date('2026-01-02') },
    ])
    expect(await app.ledger.deliveries.strange('shop', 9)).toMatchObject([
      { problem: expect.stringContaining('not counted twice') },
    ])
  })

  test('of many is mapped anew with all that were refused', async () => {
    await using campus = await openCampus(ofShop)
    await deliver(
      campus,
      ...['ada', 'bob', 'cyd'].map((user) => event(user, { mail: 'none', other: `${user}@example.org` })),
    )
    await judge(campus.world.app, { system: 'shop' })
    await readAll(campus, campus.world.app)
    expect(await campus.states()).toEqual([])
    const mended = mapped(campus, { fields: { ...fields, email: '/other' } })
    await compareRules(mended, { pipeline: 'spring' })
    await judge(mended, { system: 'shop' })
    await readAll(campus, mended)
    expect(await campus.states()).toEqual(['pending', 'pending', 'pending'])
  })

  test('that Canvas refuses to show of one learner keeps those of others waiting for five minutes at most', async () => {
    await using site = Object.assign(await openCanvasSite(), { [Symbol.asyncDispose]: () => site.close() })
    await using campus = await openCampus({
      idle: true,
      systems: () => ({
        canvas: { type: 'canvas', url: site.url, token: site.token, every: '1d', perSecond: 50 },
        live: {
          type: 'webhook',
          auth: { type: 'body', pointer: '/token', secret: hookToken },
          map: { learner: '/user', course: '/course' },
          confirm: 'canvas',
        },
      }),
      pipeline: { source: { system: 'canvas', course: '7' }, writeBack: [] },
    })
    const { app } = campus.world
    for (const name of ['Ada', 'Bob']) {
      const learner = site.enrol(name)
      site.complete(learner, '2026-11-05T13:38:00Z')
      if (name === 'Ada') site.refuse(`users/${learner.id}/progress`, 403)
      await campus.post({ user: learner.id, course: '7', token: hookToken }, '/events/live')
    }
    await judge(app, { system: 'live' })
    expect(await states(campus)).toEqual([{ state: 'new' }, { state: 'new' }])
    await app.database.query(`UPDATE delivery SET due_at = due_at - interval '6 minutes'`)
    await judge(app, { system: 'live' })
    expect(await states(campus)).toEqual([{ state: 'new' }, { state: 'judged' }])
  })

  test('that its sender took back before it was looked at issues nobody', async () => {
    await using campus = await openCampus({
      ...ofShop,
      pipeline: { source: { system: 'lms', course: 'https://lms.example/c' }, writeBack: [] },
    })
    const post = (told: object) =>
      campus.post(
        { actor: { account: { homePage: 'https://lms.example', name: '3' } }, ...told },
        '/xapi/lms/statements',
        {
          authorization: `Basic ${Buffer.from(`lms:${xapiPassword}`).toString('base64')}`,
          'x-experience-api-version': '1.0.3',
        },
      )
    const id = crypto.randomUUID()
    const course = { id: 'https://lms.example/c', definition: { type: 'http://adlnet.gov/expapi/activities/course' } }
    await post({ id, verb: { id: 'http://adlnet.gov/expapi/verbs/completed' }, object: course })
    await post({ verb: { id: 'http://adlnet.gov/expapi/verbs/voided' }, object: { objectType: 'StatementRef', id } })
    await judge(campus.world.app, { system: 'lms' })
    expect(await learners(campus)).toEqual([])
    expect(await states(campus)).toEqual([{ state: 'judged' }, { state: 'strange' }])
  })
})

describeWithDatabase('a completion whose row was invalid', () => {
  test('and that is issued by now is not tried again, though an earlier version forgot to say so', async () => {
    await using campus = await openCampus(ofShop)
    const { app } = campus.world
    await deliver(campus, event('ada'))
    await judge(app, { system: 'shop' })
    await readAll(campus, app)
    await app.database.query(`UPDATE completion SET refused_by = 'the rules of then'`)
    await deliver(campus, event('ada', { mail: 'ada@example.net' }))
    await judge(app, { system: 'shop' })
    await compareRules(mapped(campus, { volatile: ['/sent'] }), { pipeline: 'spring' })
    await judge(app, { system: 'shop' })
    await readAll(campus, app)
    expect(await campus.states()).toEqual(['pending'])
  })
})

describeWithDatabase('a course about which its system gives no answer', () => {
  const outcomes: [string, string[], string[]][] = [
    ['keeps those of others waiting no longer than theirs', ['A'], ['A', 'B', 'C']],
    ['and another one are the system, which is left alone', ['A', 'B'], ['A', 'B']],
  ]
  test.each(outcomes)('%s', async (_, silent, expected) => {
    await using campus = await openCampus(ofShop)
    const { app } = campus.world
    await app.ledger.learningSystems.watch(['canvas'])
    const asked: string[] = []
    const system: AskedSystem = {
      name: 'canvas',
      settings: { every: '15m', sweep: '1d', timeZone: 'UTC' },
      async course({ course }) {
        asked.push(course)
        if (silent.includes(course)) throw new CanvasError('away', 'No answer.', { status: 500 })
        return {
          isAbout: () => false,
          hearOne: () => Promise.reject(new Error('Nobody asks.')),
          hearAll: async () => ({
            completions: [{ learner: course, course, completedAt: new Date(0), cells: {} }],
            problems: [],
          }),
        }
      },
    }
    const pipelines = ['A', 'B', 'C'].map((course) => ({
      pipeline: 'spring',
      system: 'canvas',
      course,
      renewAfterMs: null,
    }))
    const learning = { ...app.learning, asked: [system], pipelinesOf: () => pipelines }
    await askSystem({ ...app, learning }, { system: 'canvas' })
    expect(asked).toEqual(expected)
    expect(await learners(campus)).toEqual(silent.length > 1 ? [] : ['B', 'C'])
    expect(await app.ledger.learningSystems.standing()).toMatchObject([{ problem: 'No answer.', polledAt: null }])
  })
})
