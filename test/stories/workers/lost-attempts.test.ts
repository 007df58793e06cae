// Calls and jobs whose worker died: the next sweep says which calls were lost and has the jobs queued again, and an
// outcome that arrives after that is logged.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { rescueOrphans } from '#jobs/worker/rescue-orphans.ts'
import { sweep } from '#jobs/worker/sweep.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { join } from '#test/support/join-worker.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

async function prepareBatch({ app, receive }: World): Promise<number> {
  await intake(app, { runId: await receive('list.csv', peopleCsv(3)) })
  return (await prepareOne(app.ledger, 'spring', 10)) as number
}

const states = async ({ app }: World) =>
  (await app.database.query<{ state: string }>('SELECT DISTINCT state FROM issuance')).rows.map(({ state }) => state)

describeWithDatabase('a call whose worker died', () => {
  test('is marked as lost by the only worker, and the report is read soon', async () => {
    await using world = await openWorld()
    const attempt = await prepareBatch(world)
    const { ledger } = world.app
    const call = { attemptId: attempt, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 90_000 }
    await ledger.attempts.claim(call)
    await ledger.poller.schedule(3_600_000, 3_600_000)
    const log = openRecordedLog()
    // Without the lock of the only worker, the calls of others are not touched before their deadline.
    expect(await sweep({ ...world.app, log }, { lock: null, canReap: () => true })).toMatchObject({ lost: 0 })
    expect(await states(world)).toEqual(['sending'])

    const lock = await ledger.locks.hold('worker')
    expect(await sweep({ ...world.app, log }, { lock, canReap: () => false })).toMatchObject({ lost: 1 })
    expect(log.fieldsOf('attempt.lost')).toEqual([{ attempt }])
    // Its rows are to be looked for in the report, which is a job.
    expect(log.fieldsOf('sweep.asked')).toEqual([{ count: 1 }])
    expect(await states(world)).toEqual(['unconfirmed'])
    await lock?.release()
  })
})

/** A UUID that is also a number, as `join` requires. */
const deadInstance = '1'.padStart(32, '0')

describeWithDatabase('a queued job whose worker died', () => {
  test('is queued again at once by another worker, before it counts as lost', async () => {
    await using open = await openTestLedger()
    await using dead = await join(open, deadInstance)
    await using other = await join(open, '2')
    await open.publish(recipients(2))
    const attempt = await prepareOne(other.ledger, 'spring', 10)
    const { takeAttemptsToSend } = other.ledger.work
    expect(await takeAttemptsToSend()).toEqual([attempt])
    const log = openRecordedLog()
    const tools = {
      ...{ ledger: other.ledger, exclusive: false, instance: '2', log },
      ...{ queues: { isNew: async () => false }, tuning: { aliveMs: { silent: 10_000 } } },
    } as unknown as ExtensionTools
    const rescue = () => rescueOrphans(tools, { lock: null, canReap: () => true })
    await dead.makeSilent()
    await rescue()
    expect(await takeAttemptsToSend()).toEqual([])
    await dead.leave()
    await rescue()
    expect(log.fieldsOf('worker.dead')).toEqual([{ instance: deadInstance }])
    expect(await takeAttemptsToSend()).toEqual([attempt])
  })
})

describeWithDatabase('an outcome of a call that was marked as lost', () => {
  test('changes nothing, and is logged', async () => {
    await using world = await openWorld()
    const attemptId = await prepareBatch(world)
    const { app } = world
    const { invite } = app.issuer
    const inviteLate: typeof invite = async (...call) => {
      const outcome = await invite(...call)
      const lock = await app.ledger.locks.hold('worker')
      await app.ledger.attempts.markLost(randomUUID(), lock ?? undefined)
      await lock?.release()
      return outcome
    }
    const log = openRecordedLog()
    await issue(
      { ...app, log, issuer: { ...app.issuer, invite: inviteLate } },
      { attemptId },
      new AbortController().signal,
    )
    expect(await states(world)).toEqual(['unconfirmed'])
    expect(log.fieldsOf('outcome.late')).toMatchObject([{ attempt: attemptId, outcome: 'accepted', status: 200 }])
  })
})
