// A worker that hears of completions and tells of credentials dies before and after every verb that it has for that. The sandbox's book, the profiles
// and what arrived at an address of ours are the judges: each completion is issued once, and told truly, with the same words where it is told twice.

import { expect, test } from 'vitest'
import { askSystem } from '#jobs/ask-system.ts'
import { gatherCompletions } from '#jobs/gather.ts'
import { judge } from '#jobs/judge.ts'
import { lookBack } from '#jobs/look-back.ts'
import { sweep } from '#jobs/sweep.ts'
import { tell } from '#jobs/tell.ts'
import type { Tools } from '#jobs/tools.ts'
import { startWorker } from '#jobs/worker.ts'
import { writeBack } from '#jobs/write-back.ts'
import { openApp } from '#src/app.ts'
import { type WorkName, workNames } from '#src/cli/doing.ts'
import { silentLog } from '#src/log/log.ts'
import { systemClock } from '#src/time/clock.ts'
import { audit } from '#test/support/auditor.ts'
import { type Campus, completedHook, openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { json, openScriptedServer, raw, type ScriptedServer } from '#test/support/scripted-server.ts'
import { tally } from '#test/support/size.ts'
import { asking, judging, type LearningLife, learningLives, lookingBack, telling } from './learning-lives.ts'
import { liveUntil } from './life.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`
const soon = { timeout: 30_000, interval: 50 }

const stories: Record<LearningLife['story'], (tools: Tools) => Promise<unknown>> = {
  judge: (tools) => judge(tools, { system: 'hooks' }),
  ask: (tools) => askSystem(tools, { system: 'campus' }),
  sweep: (tools) => sweep(tools),
  async start(tools) {
    await tools.ledger.completions.waitAgain()
    await gatherCompletions(tools)
  },
  async 'write-back'(tools) {
    for (const runId of await tools.ledger.takeWriteBacks()) await writeBack(tools, { runId })
  },
  tell: (tools) => tell(tools, { pipeline: 'spring' }),
  'look-back': (tools) => lookBack(tools, { system: 'campus' }),
}

describeWithDatabase('a worker that dies while it hears of completions and tells of credentials', () => {
  test('issues each completion once, and tells it truly', async () => {
    const ours = await openScriptedServer()
    await using closing = new AsyncDisposableStack()
    closing.defer(() => ours.close())
    ours.on('/hear', json(200, {}))
    ours.on('/gone', raw(410, 'gone'))
    const campus = closing.use(
      await openCampus({
        idle: true,
        writeBack: () => [
          { to: 'moodle-profile', system: 'campus', fields: profileFields },
          { to: 'webhook', url: `${ours.url}/hear`, secret },
          { to: 'webhook', url: `${ours.url}/gone`, secret },
        ],
      }),
    )
    await campus.world.app.ledger.learningSystems.watch(['campus'])

    const learners: Learner[] = []
    for (const each of judging) {
      learners.push(await complete(campus, `ada${learners.length}`, each))
      await die(campus, each)
    }
    // By now, since the poll would find whoever a delivery was lost of.
    await dueNow(campus)
    await judge(campus.world.app, { system: 'hooks' })
    expect(await heard(campus)).toBe(learners.length)
    for (const each of asking) {
      learners.push(await complete(campus, `ada${learners.length}`, each))
      await die(campus, each)
    }
    await working(campus, ['intake', 'issue', 'reconcile', 'sweep'], async () =>
      expect.poll(() => campus.states(), soon).toEqual(learners.map(() => 'issued')),
    )
    expect(campus.world.sandbox.requests()).toHaveLength(learners.length)
    expect(ours.seen).toEqual([])

    for (const each of telling) await die(campus, each)
    await working(campus, workNames, () => told(campus, learners, ours))

    await campus.world.app.database.query('UPDATE learning_system SET sweep_at = clock_timestamp()')
    await dueNow(campus)
    await askSystem(campus.world.app, { system: 'campus' })
    const [first, ...others] = learners
    campus.lms.overwrite(first?.id ?? 0, 'credid', 'theirs')
    for (const { id } of others) campus.lms.overwrite(id, 'credurl', '')
    for (const each of lookingBack) await die(campus, each)
    await working(campus, workNames, () => told(campus, others, ours))
    expect(await campus.profileOf(first?.id ?? 0)).toMatchObject({ credid: 'theirs' })

    expect(campus.world.sandbox.requests()).toHaveLength(learners.length)
    expect(ours.requests('/gone')).toHaveLength(1)
    await audit(campus.world)
    tally('lives of the learning side', { completions: learners.length, deaths: learningLives.length })
  }, 120_000)
})

interface Learner {
  id: number
  email: string
}

/** What there is to be heard in a life: a learner who completes, an event about it, the Moodle due, or a run that was refused. */
async function complete(campus: Campus, firstname: string, { story }: LearningLife): Promise<Learner> {
  const { ledger, database } = campus.world.app
  const id = campus.enrol(firstname)
  const learner = { id, email: `${firstname}@example.org` }
  await campus.lms.complete(id, campus.course)
  if (story === 'judge') expect((await campus.post(completedHook(id, campus.course))).status).toBe(200)
  if (story !== 'start') return learner
  await askSystem(campus.world.app, { system: 'campus' })
  const { rows } = await database.query<{ id: string }>(`SELECT id FROM run WHERE state = 'received'`)
  for (const run of rows) await ledger.refuseRun(run.id, 'The course is not known.')
  return learner
}

async function heard({ world }: Campus): Promise<number> {
  return (await world.app.database.query('SELECT FROM completion')).rowCount
}

async function die(campus: Campus, { story, at, away }: LearningLife): Promise<void> {
  await dueNow(campus)
  campus.lms.databaseDown(away)
  const died = await liveUntil(campus.world, at, stories[story])
  campus.lms.databaseDown(false)
  expect([story, at, died]).toEqual([story, at, true])
}

/** What was put off, or was asked for by a life that is over, is due. */
async function dueNow({ world }: Campus): Promise<void> {
  const { database } = world.app
  await database.query('UPDATE delivery SET due_at = clock_timestamp()')
  await database.query('UPDATE learning_system SET due_at = clock_timestamp(), asked_at = NULL')
  await database.query('UPDATE write_back SET asked_at = NULL')
}

/** Another worker, by itself, until what it should do is done. */
async function working({ world }: Campus, only: readonly WorkName[], done: () => Promise<void>): Promise<void> {
  await using app = await openApp(world.settings, {
    clock: systemClock,
    log: silentLog,
    random: () => 0.5,
    tuning: world.app.tuning,
  })
  await using _worker = await startWorker(app, only, { inboxes: true })
  await world.app.database.query('UPDATE tell SET due_at = clock_timestamp()')
  await done()
}

/** Every learner's credential stands in the profile, and was told by one event, however often that was sent. */
async function told(campus: Campus, learners: readonly Learner[], ours: ScriptedServer): Promise<void> {
  const { sandbox, app } = campus.world
  const left = async () => (await app.ledger.tells.standing()).map(({ pending }) => pending)
  await expect.poll(left, soon).toEqual([0, 0, 0])
  const credentials = new Map(sandbox.requests().map(({ student, credentialId }) => [student.Email, credentialId]))
  const events = ours.requests('/hear').map(({ headers, body }) => ({ id: headers['webhook-id'], body }))
  const byId = new Map(events.map(({ id, body }) => [id, body]))
  expect(events.filter(({ id, body }) => byId.get(id) !== body)).toEqual([])
  const bodies = [...byId.values()].map((body) => JSON.parse(body))
  expect(bodies).toHaveLength(credentials.size)
  for (const { id, email } of learners) {
    const credid = credentials.get(email)
    expect(await campus.profileOf(id)).toMatchObject({ credid, credstatus: 'issued', credurl: /./ })
    expect(bodies).toContainEqual(
      expect.objectContaining({
        type: 'credential.issued',
        data: expect.objectContaining({ learner: { id: String(id) }, credentialId: credid }),
      }),
    )
  }
}
