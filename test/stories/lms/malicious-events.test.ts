// Harmful events and names, and mappings that change after events were processed: no one else is delayed and nobody
// gets two credentials.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { intake } from '#jobs/intake.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { processEvents } from '#jobs/lms/process-events.ts'
import { retryRefused } from '#jobs/lms/run-learning-job.ts'
import { CanvasError } from '#src/extensions/lms/canvas/canvas-error.ts'
import { learningParts } from '#src/extensions/lms/sync/learning-parts.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import type { PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import { openSite } from '#test/src/extensions/lms/canvas/open-site-and-client.ts'
import { type Campus, type CampusOptions, hookToken, openCampus, xapiPassword } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const fields = { email: '/mail', firstname: '/first', lastname: '/last' }
const shop = (map: object = {}) => ({
  type: 'webhook',
  auth: { type: 'body', pointer: '/token', secret: hookToken },
  map: { list: '/events', learner: '/user', course: '/course', completedAt: '/at', fields, ...map },
})
const shopOptions: CampusOptions = {
  idle: true,
  systems: () => ({
    shop: shop(),
    lms: { type: 'xapi', user: 'lms', password: xapiPassword, homePage: 'https://lms.example' },
  }),
  pipeline: { source: { system: 'shop', course: 'SHOP-1', renewAfter: '30d' }, writeBack: [] },
}
const event = (user: string, changes: object = {}) => ({
  ...{ user, course: 'SHOP-1', at: '2026-01-02', mail: `${user}@example.org`, first: user, last: 'Lovelace' },
  ...changes,
})
const postEvents = (campus: Campus, ...events: object[]) => campus.post({ events, token: hookToken }, '/events/shop')

const rows = async <Row extends object>({ world }: Campus, sql: string) =>
  (await world.app.database.query<Row>(sql)).rows
const eventStates = (campus: Campus) => rows(campus, 'SELECT state FROM inbound_event ORDER BY id')
const learners = async (campus: Campus) =>
  (await rows<{ learner: string }>(campus, 'SELECT learner FROM completion ORDER BY id')).map(({ learner }) => learner)

/** The tools of a worker whose configuration has this mapping for the shop's events. */
function toolsWithMap({ world: { app, settings } }: Campus, map: object) {
  const file = parseFileSettings({
    ...settings.file,
    systems: { ...settings.file.systems, shop: shop(map) },
    pipelines: { spring: settings.file.pipelines.spring },
  })
  const wire = { send: app.wire.send, clock: app.clock }
  const learning = openLearningSystems(file, { ...wire, gateFor: () => (work) => work() })
  return { ...app, ...learningParts(app, learning), pipelines: openPipelines(file.pipelines) }
}

async function readAll(campus: Campus, tools: Parameters<typeof intake>[0]): Promise<void> {
  for (const { id } of await rows<{ id: string }>(campus, `SELECT id FROM run WHERE state = 'received'`))
    await intake(tools, { runId: id })
}

describeWithDatabase('an event', () => {
  test('with an id that is too long for an index blocks no other event', async () => {
    await using campus = await openCampus(shopOptions)
    const random = crypto.getRandomValues(new Uint16Array(1_000))
    const longId = String.fromCharCode(...random.map((n) => 0x4e00 + (n % 20_000)))
    await postEvents(campus, event(longId))
    await postEvents(campus, event('ada'))
    await processEvents(campus.world.app, { system: 'shop' })
    expect(await eventStates(campus)).toEqual([{ state: 'strange' }, { state: 'processed' }])
    expect(await learners(campus)).toEqual(['ada'])
  })

  test('that is mapped to another time is not a second completion, and is reported; a refused event is retried with the new time', async () => {
    await using campus = await openCampus(shopOptions)
    const { app } = campus.world
    const enrolled = { enrolled: '2025-03-01' }
    const withAddress = (user: string) => ({ ...enrolled, other: `${user}@example.org` })
    await postEvents(campus, event('ada', withAddress('ada')), event('bob', { ...withAddress('bob'), mail: 'none' }))
    const firstTools = toolsWithMap(campus, { completedAt: '/enrolled' })
    await processEvents(firstTools, { system: 'shop' })
    await readAll(campus, firstTools)
    expect(await campus.states()).toEqual(['pending'])
    const fixedTools = toolsWithMap(campus, { fields: { ...fields, email: '/other' } })
    await retryRefused(fixedTools, { pipeline: 'spring' })
    await processEvents(fixedTools, { system: 'shop' })
    await readAll(campus, fixedTools)
    expect(await campus.states()).toEqual(['pending', 'pending'])
    expect(await rows(campus, 'SELECT learner, completed_at AS at FROM completion ORDER BY learner')).toEqual([
      { learner: 'ada', at: new Date('2025-03-01') },
      { learner: 'bob', at: new Date('2026-01-02') },
    ])
    expect(await app.ledger.inboundEvents.strange('shop', 9)).toMatchObject([
      { problem: expect.stringContaining('not processed twice') },
    ])
  })

  test('about a learner whom Canvas refuses to show delays events of others for at most five minutes', async () => {
    const site = await openSite()
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
      const learner = site.enroll(name)
      site.complete(learner, '2026-11-05T13:38:00Z')
      if (name === 'Ada') site.refuse(`users/${learner.id}/progress`, 403)
      await campus.post({ user: learner.id, course: '7', token: hookToken }, '/events/live')
    }
    await processEvents(app, { system: 'live' })
    expect(await eventStates(campus)).toEqual([{ state: 'new' }, { state: 'new' }])
    await app.database.query(`UPDATE inbound_event SET due_at = due_at - interval '6 minutes'`)
    await processEvents(app, { system: 'live' })
    expect(await eventStates(campus)).toEqual([{ state: 'new' }, { state: 'processed' }])
  })

  test('that its sender voided before it was processed results in no credential', async () => {
    await using campus = await openCampus({
      ...shopOptions,
      pipeline: { source: { system: 'lms', course: 'https://lms.example/c' }, writeBack: [] },
    })
    const post = (fields: object) =>
      campus.post(
        { actor: { account: { homePage: 'https://lms.example', name: '3' } }, ...fields },
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
    await processEvents(campus.world.app, { system: 'lms' })
    expect(await learners(campus)).toEqual([])
    expect(await eventStates(campus)).toEqual([{ state: 'processed' }, { state: 'strange' }])
  })
})

describeWithDatabase('a course for which its system does not respond', () => {
  const outcomes: [string, string[], string[]][] = [
    ['delays the events of other courses no longer than its own', ['A'], ['A', 'B', 'C']],
    ['and another such course count as an unavailable system, which is paused', ['A', 'B'], ['A', 'B']],
  ]
  test.each(outcomes)('%s', async (_, silent, expected) => {
    await using campus = await openCampus(shopOptions)
    const { app } = campus.world
    await app.ledger.learningSystems.register(['canvas'])
    const requests: string[] = []
    const system: PolledSystem = {
      name: 'canvas',
      settings: { every: '15m', sweep: '1d', timeZone: 'UTC' },
      async course({ course }) {
        requests.push(course)
        if (silent.includes(course)) throw new CanvasError('away', 'No answer.', { status: 500 })
        return {
          isAbout: () => false,
          findOne: () => Promise.reject(new Error('No one asks.')),
          findAll: async () => ({
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
    const learning = { ...app.learning, polled: [system], pipelinesOf: () => pipelines }
    await pollLms({ ...app, learning }, { system: 'canvas' })
    expect(requests).toEqual(expected)
    expect(await learners(campus)).toEqual(silent.length > 1 ? [] : ['B', 'C'])
    expect(await app.ledger.learningSystems.statuses()).toMatchObject([{ problem: 'No answer.', polledAt: null }])
  })
})
