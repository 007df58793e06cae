// Compares the events that the site sends with captured ones: those of the webhook and of the xAPI plugin.

import { expect, onTestFinished, test } from 'vitest'
import { json, openScriptedServer, type ScriptedServer } from '#test/support/scripted-server.ts'
import { adaCompleted, captured, type Lab, openLab, sorenCompleted } from './captured-site.ts'

interface Told extends Lab {
  receiver: ScriptedServer
  /** Sets the status of the receiver's answers from now on. */
  answers(status: number): void
  batches(): Statement[][]
}

interface Statement {
  context: { registration: string }
  object: { id: string }
  actor: unknown
  timestamp: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

async function openTold(): Promise<Told> {
  const lab = await openLab()
  const receiver = await openScriptedServer()
  onTestFinished(() => receiver.close())
  const answers = (status: number) => {
    receiver.on('/', json(status, []))
  }
  answers(200)
  lab.sandbox.sendEventsTo({
    webhook: { url: `${receiver.url}/hooks/moodle`, token: 'lab-hook-token' },
    xapi: { endpoint: `${receiver.url}/xapi`, user: 'moodle', password: 'lab-lrs-secret' },
  })
  const batches = () => receiver.requests('/xapi').map(({ body }) => JSON.parse(body) as Statement[])
  return { ...lab, receiver, answers, batches }
}

const withRegistration = (statements: unknown, registration: string) =>
  (statements as Statement[]).map((each) => ({ ...each, context: { ...each.context, registration } }))

test('a completion sends the captured webhook before it returns (11)', async () => {
  const { sandbox, receiver, ada, soren, fire } = await openTold()
  await sandbox.complete(ada, fire.id, adaCompleted)
  await sandbox.complete(soren, fire.id, sorenCompleted)
  const sent = receiver.requests('/hooks/moodle')
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST'])
  expect(JSON.parse(sent[1]?.body ?? '')).toEqual(captured('11-webhook', sandbox.url))
  expect(sent[1]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': `MoodleBot/4.5 (+${sandbox.url})`,
  })
  expect(sent[1]?.headers).not.toHaveProperty('authorization')
})

test('a webhook is never sent again, whatever the answer (1.3)', async () => {
  const { sandbox, receiver, answers, ada, fire } = await openTold()
  answers(500)
  await sandbox.complete(ada, fire.id)
  await sandbox.cron()
  await sandbox.replay()
  expect(receiver.requests('/hooks/moodle')).toHaveLength(1)
  expect(sandbox.journal()).toContainEqual(expect.objectContaining({ channel: 'webhook', events: 1, status: 500 }))
})

test('cron sends the captured statements, then two empty arrays (10 and 11)', async () => {
  const { sandbox, receiver, batches, soren, fire } = await openTold()
  await sandbox.complete(soren, fire.id, sorenCompleted)
  expect(batches()).toEqual([])
  await sandbox.cron()
  const [first, ...rest] = batches()
  expect(rest).toEqual([[], []])
  expect(withRegistration(first, '')).toEqual(withRegistration(captured('11-statements', sandbox.url), ''))
  expect(first?.map((each) => Object.keys(each).includes('id'))).toEqual([false, false])
  expect(first?.[0]?.context.registration).toMatch(uuid)
  expect(first?.[1]?.context.registration).toBe(first?.[0]?.context.registration)
  expect(receiver.requests('/xapi')[0]).toMatchObject({
    path: '/xapi/statements',
    headers: {
      authorization: 'Basic bW9vZGxlOmxhYi1scnMtc2VjcmV0',
      'x-experience-api-version': '1.0.3',
      'content-type': 'application/json',
    },
  })
})

test('unticking and ticking again sends the captured statements and no course (12)', async () => {
  const { sandbox, batches, soren, fire } = await openTold()
  await sandbox.complete(soren, fire.id, sorenCompleted)
  await sandbox.cron()
  const page = fire.criteria[0] ?? 0
  await sandbox.untick(soren, fire.id, page, new Date('2026-11-21T00:03:41Z'))
  await sandbox.tick(soren, fire.id, new Date('2026-11-21T00:03:42Z'), page)
  await sandbox.cron()
  expect(withRegistration(batches()[3], '')).toEqual(withRegistration(captured('12-statements', sandbox.url), ''))
})

test.each([500, 202, 204, 400])(
  'an answer of %i stores the events until a replay, with other registrations (13, 17)',
  async (status) => {
    const { sandbox, answers, batches, ada, fire } = await openTold()
    answers(status)
    await sandbox.complete(ada, fire.id, adaCompleted)
    await sandbox.cron()
    expect(sandbox.parked()).toBe(2)
    answers(200)
    await sandbox.cron()
    expect(batches().slice(1)).toEqual([[], [], [], []])
    await sandbox.replay()
    expect(sandbox.parked()).toBe(0)
    const [first = [], again = []] = batches().filter(({ length }) => length > 0)
    expect(withRegistration(again, '')).toEqual(withRegistration(first, ''))
    expect(again[0]?.context.registration).not.toBe(first[0]?.context.registration)
  },
)

test('a batch holds thirty statements (1.4)', async () => {
  const { sandbox, batches, fire } = await openTold()
  for (let i = 0; i < 16; i++) {
    const { id } = sandbox.addLearner({ firstname: 'N', lastname: String(i), email: `n${i}@learners.example` })
    sandbox.enroll(id, fire.id)
    await sandbox.complete(id, fire.id)
  }
  await sandbox.cron()
  expect(batches().map(({ length }) => length)).toEqual([30, 2, 0, 0])
})

test('a completion by cron carries cron’s time and the administrator, not the learner’s (8.3)', async () => {
  const { sandbox, clock, receiver, ada, fire } = await openTold()
  await sandbox.tick(ada, fire.id, adaCompleted)
  await clock.advance(3_600_000)
  await sandbox.cron()
  expect(JSON.parse(receiver.requests('/hooks')[0]?.body ?? '')).toMatchObject({
    timecreated: Date.parse('2026-11-21T01:00:00Z') / 1000,
    userid: '2',
    relateduserid: String(ada),
  })
})

test('a re-certification is a new event with a new number (15)', async () => {
  const { sandbox, receiver, ada, fire } = await openTold()
  await sandbox.complete(ada, fire.id, adaCompleted)
  await sandbox.recomplete(ada, fire.id, sorenCompleted)
  const sent = receiver.requests('/hooks').map(({ body }) => JSON.parse(body))
  expect(sent).toMatchObject([
    { objectid: '1', timecreated: 1795219377 },
    { objectid: '2', timecreated: 1795219417 },
  ])
})

test.each([
  ['username' as const, { name: 'Ada Lovelace', account: { homePage: expect.any(String), name: 'ada' } }],
  ['mbox' as const, { name: 'Ada Lovelace', mbox: 'mailto:ada@learners.example' }],
])('the actor is a %s if the plugin is configured so (1.4)', async (actor, expected) => {
  const { sandbox, receiver, batches, ada, fire } = await openTold()
  sandbox.sendEventsTo({ xapi: { endpoint: `${receiver.url}/xapi`, user: 'u', password: 'p', actor } })
  await sandbox.complete(ada, fire.id)
  await sandbox.cron()
  expect(batches()[0]?.[0]?.actor).toEqual(expected)
})
