// A Moodle site that refuses the token's account, or one function, until an operator acts. The refusal is reported
// once, no delivery fails, Moodle is rarely called, and work resumes when the cause is fixed.

import { expect, test } from 'vitest'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { processEvents } from '#jobs/lms/process-events.ts'
import { knownFunctions } from '#sandboxes/moodle/functions/known-functions.ts'
import type { EventFields, EventName } from '#src/platform/log/events.ts'
import { type Campus, completedHook, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const names = ['ada', 'byron', 'clara', 'dora']
const writeFunction = 'core_user_update_users'

type LoggedEvent = EventFields & { name: EventName }

interface RefusingCampus extends AsyncDisposable {
  campus: Campus
  learners: number[]
  logged: LoggedEvent[]
  /** The functions of the token's service; calls to a removed function are refused. */
  functions: string[]
}

/** Opens a campus with four ingested completions. No credential is issued yet, and no worker is running. */
async function openRefusingCampus(): Promise<RefusingCampus> {
  const functions = [...knownFunctions.keys()]
  const logged: LoggedEvent[] = []
  const log = { event: (name: EventName, fields: EventFields = {}) => void logged.push({ name, ...fields }) }
  const campus = await openCampus({ idle: true, site: { functions }, appOptions: { log } })
  const learners = names.map((name) => campus.enroll(name))
  for (const learner of learners) await campus.lms.complete(learner, campus.course)
  await campus.world.app.ledger.learningSystems.register(['campus'])
  await pollLms(campus.world.app, { system: 'campus' })
  return { campus, learners, logged, functions, [Symbol.asyncDispose]: () => campus[Symbol.asyncDispose]() }
}

const deliveryCounts = async ({ world }: Campus) => (await world.app.ledger.deliveries.counts())[0]

async function untilAllDelivered({ campus, learners }: RefusingCampus): Promise<void> {
  for (const learner of learners)
    await expect.poll(() => campus.profileOf(learner), completionWait).toMatchObject({ credstatus: 'issued' })
  await expect.poll(() => deliveryCounts(campus), completionWait).toMatchObject({ pending: 0, verified: 4, failed: 0 })
  expect(campus.world.sandbox.requests()).toHaveLength(4)
}

async function untilAllRefused({ campus }: RefusingCampus): Promise<void> {
  await campus.startWorker()
  await expect.poll(() => deliveryCounts(campus), completionWait).toMatchObject({ pending: 4, refused: 4, failed: 0 })
}

const pollNow = ({ world }: Campus) =>
  world.app.database.query('UPDATE learning_system SET due_at = clock_timestamp(), asked_at = NULL')

const codes = ({ logged }: RefusingCampus, wanted: EventName) =>
  logged.filter(({ name }) => name === wanted).map(({ code }) => code)

const fixes: [string, (of: RefusingCampus) => Promise<unknown>][] = [
  ['an operator runs `events deliver`', ({ campus }) => campus.runCli('events', 'deliver', '--pipeline', 'spring')],
  [
    'one of them is delivered',
    ({ campus }) =>
      campus.world.app.database.query(
        'UPDATE delivery SET due_at = clock_timestamp() WHERE id = (SELECT max(id) FROM delivery)',
      ),
  ],
]

describeWithDatabase('a write that is refused', () => {
  test.each(fixes)('waits with the other refused writes, and all are sent when %s', async (_, fix) => {
    await using refusing = await openRefusingCampus()
    const { campus, learners, functions, logged } = refusing
    functions.splice(functions.indexOf(writeFunction), 1)
    await untilAllRefused(refusing)
    const refused = logged.filter(({ name }) => name === 'delivery.refused')
    expect(refused.map(({ learner }) => learner)).toEqual(learners.slice(0, 3).map(String))
    expect(refused[0]).toMatchObject({
      pipeline: 'spring',
      target: 'moodle-profile',
      system: 'campus',
      issuance: expect.any(Number),
      code: 'accessexception',
    })
    expect(JSON.stringify(logged)).not.toMatch(/example\.org|Lovelace/)
    const { code, stdout } = await campus.runCli('events')
    expect(code).toBe(3)
    expect(stdout).toMatch(/4 pending \(4 refused\)\. Moodle refuses core_user_update_users \(accessexception\)/)
    functions.push(writeFunction)
    await fix(refusing)
    await untilAllDelivered(refusing)
    expect((await campus.runCli('events')).code).toBe(0)
  })

  test('is tried three times at first, and once at each later attempt', async () => {
    await using refusing = await openRefusingCampus()
    const { campus, functions } = refusing
    const tries = () =>
      campus.lms.journal().filter((deed) => deed.kind === 'answered' && deed.errorcode !== null).length
    functions.splice(functions.indexOf(writeFunction), 1)
    await untilAllRefused(refusing)
    expect(tries()).toBe(3)
    for (const tryCount of [4, 5]) {
      await pollNow(campus)
      await expect.poll(tries, completionWait).toBe(tryCount)
    }
    await expect.poll(() => codes(refusing, 'target.away'), completionWait).toHaveLength(3)
    expect(codes(refusing, 'delivery.refused')).toHaveLength(3)
  })
})

describeWithDatabase('a lost read permission', () => {
  const toAssignment = () => [{ to: 'moodle-assignment', system: 'campus', assignment: 'CREDENTIAL', grade: 100 }]
  const courseFields = { assignment: { name: 'Credential', idnumber: 'CREDENTIAL' } }

  test.each([
    ['moodle/user:viewalldetails', /\(notshown\) until someone acts: what was written is not shown/, {}],
    ['moodle/user:viewdetails', /\(notshown\) until someone acts: what was written is not shown/, {}],
    ['mod/assign:viewgrades', /mod_assign_get_grades \(nopermissions\)/, { courseFields, writeBack: toAssignment }],
  ])(
    '(%s) does not make deliveries fail, and they are read back once it is granted again',
    async (right, output, more) => {
      await using campus = await openCampus({ idle: true, ...more })
      const { app } = campus.world
      await campus.lms.complete(campus.enroll('ada'), campus.course)
      await app.ledger.learningSystems.register(['campus'])
      await pollLms(app, { system: 'campus' })
      campus.lms.forbid(right)
      await campus.startWorker()
      await expect
        .poll(() => deliveryCounts(campus), completionWait)
        .toMatchObject({ pending: 1, refused: 1, failed: 0 })
      const { stdout } = await campus.runCli('events')
      expect(stdout).toMatch(output)
      expect(stdout).toContain(right)
      campus.lms.allow(right)
      await pollNow(campus)
      await expect
        .poll(() => deliveryCounts(campus), completionWait)
        .toMatchObject({ pending: 0, verified: 1, failed: 0 })
    },
  )

  test.each([
    ['moodle/user:viewdetails', {}],
    ['moodle/site:accessallgroups', { courseFields: { separateGroups: true } }],
  ])('(%s) is reported by events when no learners are found any longer', async (right, more) => {
    await using campus = await openCampus({ idle: true, ...more })
    const { app } = campus.world
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    campus.lms.forbid(right)
    await app.ledger.learningSystems.register(['campus'])
    await pollLms(app, { system: 'campus' })
    expect(await campus.runCli('events')).toMatchObject({ code: 3, stdout: expect.stringContaining(right) })
    campus.lms.allow(right)
    await pollNow(campus)
    await pollLms(app, { system: 'campus' })
    expect((await campus.runCli('events')).stdout).not.toContain(right)
    expect((await app.ledger.completions.known('campus', 'spring')).has(String(ada))).toBe(true)
  })
})

const accounts = ['wsaccessusersuspended', 'sitepolicynotagreed'] as const

describeWithDatabase('a Moodle site that refuses the account', () => {
  test('because of a suspension fails no learner, is reported once, and work resumes automatically', async () => {
    await using refusing = await openRefusingCampus()
    const { campus } = refusing
    campus.lms.account('wsaccessusersuspended')
    await untilAllRefused(refusing)
    expect(codes(refusing, 'delivery.refused')).toEqual(['wsaccessusersuspended'])
    const readiness = (await (await fetch(`${campus.web.url}/health/ready`)).json()) as { notices: string[] }
    expect(readiness.notices).toContainEqual(
      expect.stringMatching(/^nothing is delivered to moodle-profile campus: .*\(wsaccessusersuspended\)/),
    )
    await pollNow(campus)
    await expect.poll(() => codes(refusing, 'system.away'), completionWait).toEqual(['wsaccessusersuspended'])
    const { code, stdout } = await campus.runCli('events')
    expect(code).toBe(3)
    expect(stdout).toMatch(/^system campus: .*\(wsaccessusersuspended\).* is suspended/m)
    campus.lms.account(null)
    await pollNow(campus)
    await untilAllDelivered(refusing)
    expect((await campus.runCli('events')).code).toBe(0)
  })

  test('is no problem of its courses', async () => {
    const logged: LoggedEvent[] = []
    const log = { event: (name: EventName, fields: EventFields = {}) => void logged.push({ name, ...fields }) }
    const pipelines = (first: object) => ({ autumn: { ...first, source: { system: 'campus', course: 'FIRE-2' } } })
    await using campus = await openCampus({ idle: true, appOptions: { log }, pipelines })
    await campus.world.app.ledger.learningSystems.register(['campus'])
    campus.lms.account('wsaccessusersuspended')
    logged.length = 0
    await pollLms(campus.world.app, { system: 'campus' })
    expect(logged.map(({ name }) => name)).toEqual(['system.away'])
  })

  test.each(accounts)(
    'because of %s does not lose received events, which are processed when the problem is fixed',
    async (errorcode) => {
      await using campus = await openCampus({ idle: true })
      const { app } = campus.world
      const ada = campus.enroll('ada')
      await campus.lms.complete(ada, campus.course)
      campus.lms.account(errorcode)
      await campus.post(completedHook(ada, campus.course))
      await processEvents(app, { system: 'hooks' })
      const { rows } = await app.database.query('SELECT state, problem FROM inbound_event')
      expect(rows).toEqual([{ state: 'new', problem: null }])
      campus.lms.account(null)
      await app.database.query('UPDATE inbound_event SET due_at = clock_timestamp()')
      await campus.startWorker()
      await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    },
  )

  test('because of an expired token is reported immediately, and after that the need for a new token', async () => {
    await using refusing = await openRefusingCampus()
    const { campus } = refusing
    campus.lms.expireToken()
    const problemAfterPoll = async () => {
      await pollNow(campus)
      await pollLms(campus.world.app, { system: 'campus' })
      return (await campus.world.app.ledger.learningSystems.statuses())[0]?.problem
    }
    expect(await problemAfterPoll()).toMatch(/\(accessexception\).* A token that has just expired/)
    expect(await problemAfterPoll()).toMatch(/\(invalidtoken\).* create a new token/)
    campus.lms.renewToken()
    await campus.startWorker()
    await pollNow(campus)
    await untilAllDelivered(refusing)
  })
})
