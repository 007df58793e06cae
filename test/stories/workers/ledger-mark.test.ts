// The high-water mark outside the ledger, in the data directory and in Redis, detects an old backup before a
// worker starts, and then nothing is sent.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issue } from '#jobs/issue.ts'
import type { App } from '#src/app/app.ts'
import { markFile } from '#src/ledger/mark/keep-in-file.ts'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import {
  anotherWorker,
  backUpWorld,
  expectEachOnce,
  fiveTimes,
  inAnotherProcess,
  neverAborted,
  openLoggedWorld,
  prepareBatch,
  runCredsync,
  statesOf,
  stopReason,
} from '#test/support/rolled-back-world.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, timesIssued, type World } from '#test/support/world.ts'

describeWithDatabase('an old backup', () => {
  test('sends nothing, because of the mark in the data directory, but its lists are still read', async () => {
    await using world = await openWorld({ sandbox: { reportLagMs: 3_600_000 } })
    const backup = await backUpWorld(world)
    const attemptId = await prepareBatch(world)
    await issue(world.app, { attemptId }, neverAborted)
    await backup.restore()
    const list = await world.receive('list-1.csv', peopleCsv(5))
    await anotherWorker(world, async (app, notes) => {
      expect(notes).toContain('sending.stopped')
      await until('the list to be read', async () => (await app.ledger.runs.find(list))?.state === 'published')
      await until('a prepared batch', async () => (await app.ledger.attempts.countPrepared()) > 0)
      expect(await app.ledger.work.takeAttemptsToSend()).toEqual([])
    })
    expect(await statesOf(world)).toEqual(fiveTimes('pending'))
    expectEachOnce(world, 5)
  })

  test('is reported by check before a worker has compared it with the mark, without stopping sending', async () => {
    await using world = await openWorld()
    const backup = await backUpWorld(world)
    await issue(world.app, { attemptId: await prepareBatch(world) }, neverAborted)
    await backup.restore()
    const forgotten = 'the ledger has no record of the last call that this installation sent'
    expect((await runCredsync(world, ['check'])).stdout).toContain(`nothing will be sent: ${forgotten}`)
    expect(await stopReason(world)).toBe(null)

    await writeFile(markFile(world.folder), 'no mark')
    expect((await runCredsync(world, ['check'])).stdout).toContain('cannot be parsed')
  })

  test('is not reported if the ledger has its last call', async () => {
    await using world = await openWorld()
    await issue(world.app, { attemptId: await prepareBatch(world) }, neverAborted)
    expect((await runCredsync(world, ['check'])).stdout).not.toContain('will be sent')
  })

  test('is reported by the command issue, which sends nothing', async () => {
    await using world = await openWorld()
    const backup = await backUpWorld(world)
    await issue(world.app, { attemptId: await prepareBatch(world) }, neverAborted)
    await backup.restore()
    await writeFile(join(world.folder, 'people.csv'), peopleCsv(5))
    const { code, stderr } = await runCredsync(world, [
      'issue',
      join(world.folder, 'people.csv'),
      '--pipeline',
      'spring',
    ])
    expect(code).toBe(3)
    expect(stderr).toContain('has no record of the last call that this installation sent')
    expectEachOnce(world, 5)
  })

  test('is not suspected if the whole ledger was moved to another server', async () => {
    await using world = await openLoggedWorld()
    await issue(world.app, { attemptId: await prepareBatch(world) }, neverAborted)
    const backup = await backUpWorld(world)
    await backup.restore()
    const mark = JSON.parse(await readFile(markFile(world.folder), 'utf8'))
    mark.marks[0].system = '7000000000000000001 timeline 3'
    await writeFile(markFile(world.folder), JSON.stringify(mark))
    await anotherWorker(world, async (app, notes) => {
      expect(await app.ledger.sendingStops.stops()).toEqual([])
      expect(notes).toContain('ledger.moved')
    })
  })
})

describeWithDatabase('the mark in the data directory', () => {
  test('that cannot be parsed stops sending until an operator decides and the mark is rewritten', async () => {
    await using world = await openWorld()
    await issue(world.app, { attemptId: await prepareBatch(world) }, neverAborted)
    await writeFile(markFile(world.folder), '{ "marks": [')
    await anotherWorker(world, async ({ ledger }) => {
      expect((await ledger.sendingStops.stops())[0]?.reason).toMatch(/ledger-mark\.json cannot be parsed/)
    })
    expect(await runCredsync(world, ['trust-ledger', '--reason', 'the disk was full', '--yes'])).toMatchObject({
      code: 0,
    })
    await anotherWorker(world, async ({ ledger }) => expect(await ledger.sendingStops.stops()).toEqual([]))
  })

  test('of another ledger stops a ledger that has never sent from this directory, once', async () => {
    await using world = await openWorld()
    await issue(world.app, { attemptId: await prepareBatch(world) }, neverAborted)
    await using fresh = await testDatabase()
    const another = { ...world, databaseUrl: fresh.url }
    const first = await runCredsync(another, ['trust-ledger', '--reason', 'they are other people'])
    expect(first).toMatchObject({ code: 2, stderr: expect.stringContaining('names another ledger') })
    expect(await runCredsync(another, ['trust-ledger', '--reason', 'they are other people', '--yes'])).toMatchObject({
      code: 0,
    })
    for (const each of [another, world])
      expect(await runCredsync(each, ['trust-ledger', '--reason', 'looked'])).toMatchObject({
        stderr: expect.stringContaining('Sending is not stopped'),
      })
  })
})

describeWithRedis('the mark in Redis', ({ url: redisUrl }) => {
  test('detects an old backup on a machine with a new data directory, and does not stop two workers that share it', async () => {
    await using world = await openWorld({ redisUrl, sandbox: { reportLagMs: 3_600_000 } })
    const backup = await backUpWorld(world)
    await sendFive(world, world.app, 1)
    const settings = { ...world.settings, dataDir: join(world.folder, 'another machine') }
    const otherMachine = { ...world, settings }
    await inAnotherProcess(otherMachine, async (app) => {
      await sendFive(world, app, 100)
      await sendFive(world, world.app, 200)
      expect(await app.ledger.sendingStops.stops()).toEqual([])
    })
    expect(timesIssued(world.sandbox).size).toBe(15)
    await backup.restore()
    await anotherWorker(
      { ...world, settings: { ...settings, dataDir: join(world.folder, 'a third') } },
      async ({ ledger }) => {
        expect((await ledger.sendingStops.stops())[0]?.reason).toContain('according to Redis')
      },
    )
  })
})

/** Sends five new people. A claim that expires because the machine is busy is made again, as the sweep would. */
async function sendFive(world: World, app: App, from: number): Promise<void> {
  const issued = () => timesIssued(world.sandbox).size
  const before = issued()
  let attemptId = await prepareBatch({ ...world, app }, 5, from)
  for (;;) {
    await issue(app, { attemptId }, neverAborted)
    if (issued() > before) return
    await until('the rows to be due again', async () => {
      const next = await prepareOne(app.ledger, 'spring', 5)
      attemptId = next ?? attemptId
      return next !== null
    })
  }
}
