// Kills a worker before and after every ledger verb that it uses for completions and deliveries. According to the
// sandbox's record, the profiles and a webhook receiver, each completion leads to one credential, delivered
// correctly, and a repeated delivery has the same body.

import { expect, test } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { deliver } from '#jobs/lms/deliver.ts'
import { detectDrift } from '#jobs/lms/detect-drift.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { createRuns, processEvents } from '#jobs/lms/process-events.ts'
import { sweep } from '#jobs/worker/sweep.ts'
import { startWorker } from '#jobs/worker.ts'
import { writeBack } from '#jobs/write-back.ts'
import { openApp } from '#src/app/app.ts'
import { type WorkName, workNames } from '#src/cli/job-actions.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { audit } from '#test/support/auditor.ts'
import { type Campus, completedHook, openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { requestProfileCheck } from '#test/support/request-profile-check.ts'
import { json, openScriptedServer, raw, type ScriptedServer } from '#test/support/scripted-server.ts'
import { tally } from '#test/support/suite-size.ts'
import { runUntilKilled } from './kill-at-verb.ts'
import { delivering, type LmsKill, lmsKills, lookingBack, polling, processing } from './lms-kill-points.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`
const pollOptions = { timeout: 240_000, interval: 50 }

const jobs: Record<LmsKill['job'], (tools: ExtensionTools) => Promise<unknown>> = {
  'process-events': (tools) => processEvents(tools, { system: 'hooks' }),
  poll: (tools) => pollLms(tools, { system: 'campus' }),
  sweep: (tools) => sweep(tools),
  async start(tools) {
    await tools.ledger.completions.waitAgain()
    await createRuns(tools)
  },
  async 'write-back'(tools) {
    for (const runId of await tools.ledger.work.takeWriteBacks()) await writeBack(tools, { runId })
  },
  deliver: (tools) => deliver(tools, { pipeline: 'spring' }),
  async 'look-back'(tools) {
    while ((await detectDrift(tools, { system: 'campus' })).kind === 'snooze');
  },
}

describeWithDatabase('a worker killed while it ingests completions and delivers outcomes', () => {
  test('issues one credential for each completion and delivers it correctly', async () => {
    const receiver = await openScriptedServer()
    await using closing = new AsyncDisposableStack()
    closing.defer(() => receiver.close())
    receiver.on('/events', json(200, {}))
    receiver.on('/gone', raw(410, 'gone'))
    const campus = closing.use(
      await openCampus({
        idle: true,
        writeBack: () => [
          { to: 'moodle-profile', system: 'campus', fields: profileFields },
          { to: 'webhook', url: `${receiver.url}/events`, secret },
          { to: 'webhook', url: `${receiver.url}/gone`, secret },
        ],
      }),
    )
    const nightly = { system: 'campus', schedule: 'long ago', nextAt: new Date(), checksDrift: true }
    await campus.world.app.ledger.learningSystems.register(['campus'], [nightly])

    const learners: Learner[] = []
    for (const each of processing) {
      learners.push(await complete(campus, `ada${learners.length}`, each))
      await killAt(campus, each)
    }
    // Checked now, because polling would later find learners whose event was lost.
    await dueNow(campus)
    await processEvents(campus.world.app, { system: 'hooks' })
    expect(await countCompletions(campus)).toBe(learners.length)
    for (const each of polling) {
      learners.push(await complete(campus, `ada${learners.length}`, each))
      await killAt(campus, each)
    }
    await runAnotherWorker(campus, ['intake', 'issue', 'reconcile', 'sweep'], async () =>
      expect.poll(() => campus.states(), pollOptions).toEqual(learners.map(() => 'issued')),
    )
    expect(campus.world.sandbox.requests()).toHaveLength(learners.length)
    expect(receiver.seen).toEqual([])

    for (const each of delivering) await killAt(campus, each)
    await runAnotherWorker(campus, workNames, () => expectDelivered(campus, learners, receiver))

    await requestProfileCheck(campus.world.app.database)
    const [first, ...others] = learners
    campus.lms.overwrite(first?.id ?? 0, 'credid', 'theirs')
    for (const { id } of others) campus.lms.overwrite(id, 'credurl', '')
    for (const each of lookingBack) await killAt(campus, each)
    await runAnotherWorker(campus, workNames, () => expectDelivered(campus, others, receiver))
    expect(await campus.profileOf(first?.id ?? 0)).toMatchObject({ credid: 'theirs' })

    expect(campus.world.sandbox.requests()).toHaveLength(learners.length)
    expect(receiver.requests('/gone')).toHaveLength(1)
    await audit(campus.world)
    tally('kills of the learning side', { completions: learners.length, kills: lmsKills.length })
  })
})

interface Learner {
  id: number
  email: string
}

/**
 * Prepares the input of one process: a learner who completes, an event about it, a due poll of the Moodle site, or a
 * refused run.
 */
async function complete(campus: Campus, firstname: string, { job }: LmsKill): Promise<Learner> {
  const { ledger, database } = campus.world.app
  const id = campus.enroll(firstname)
  const learner = { id, email: `${firstname}@example.org` }
  await campus.lms.complete(id, campus.course)
  if (job === 'process-events') expect((await campus.post(completedHook(id, campus.course))).status).toBe(200)
  if (job !== 'start') return learner
  await pollLms(campus.world.app, { system: 'campus' })
  const { rows } = await database.query<{ id: string }>(`SELECT id FROM run WHERE state = 'received'`)
  for (const run of rows) await ledger.runs.refuse(run.id, 'The course is not known.')
  return learner
}

async function countCompletions({ world }: Campus): Promise<number> {
  return (await world.app.database.query('SELECT FROM completion')).rowCount
}

async function killAt(campus: Campus, { job, at, away }: LmsKill): Promise<void> {
  await dueNow(campus)
  campus.lms.databaseDown(away)
  const killed = await runUntilKilled(campus.world, at, jobs[job])
  campus.lms.databaseDown(false)
  expect([job, at, killed]).toEqual([job, at, true])
}

/** Makes everything due that was postponed or was requested by a dead process. */
async function dueNow({ world }: Campus): Promise<void> {
  const { database } = world.app
  await database.query('UPDATE inbound_event SET due_at = clock_timestamp()')
  await database.query(
    'UPDATE learning_system SET due_at = clock_timestamp(), asked_at = NULL, look_at = clock_timestamp(), look_asked_at = NULL',
  )
  await database.query('UPDATE write_back SET asked_at = NULL')
}

/** Runs another worker alone until it has done all of its work. */
async function runAnotherWorker(
  { world }: Campus,
  only: readonly WorkName[],
  done: () => Promise<void>,
): Promise<void> {
  await using app = await openApp(world.settings, {
    clock: systemClock,
    log: silentLog,
    random: () => 0.5,
    tuning: world.app.tuning,
  })
  await using _worker = await startWorker(app, only, { inboxes: true })
  await world.app.database.query('UPDATE delivery SET due_at = clock_timestamp()')
  await done()
}

/** Every learner's credential is in the profile and was sent as one event, possibly more than once. */
async function expectDelivered(campus: Campus, learners: readonly Learner[], receiver: ScriptedServer): Promise<void> {
  const { sandbox, app } = campus.world
  const pendingCounts = async () => (await app.ledger.deliveries.counts()).map(({ pending }) => pending)
  await expect.poll(pendingCounts, pollOptions).toEqual([0, 0, 0])
  const credentials = new Map(sandbox.requests().map(({ student, credentialId }) => [student.Email, credentialId]))
  const events = receiver.requests('/events').map(({ headers, body }) => ({ id: headers['webhook-id'], body }))
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
