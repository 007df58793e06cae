// The restore of docs/upkeep.md, from the loss of the ledger to the next list: nobody is issued twice, and nobody is
// forgotten. The backup is a dump where a pg_dump of the server's version is installed, and otherwise a copy of the
// database.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { dumpLedger } from '#test/support/ledger-dump.ts'
import { issueList } from '#test/support/revocation-steps.ts'
import {
  anotherWorker,
  backUpWorld,
  expectEachOnce,
  fiveTimes,
  runCredsync,
  statesOf,
} from '#test/support/rolled-back-world.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

async function takeIn(world: World, name: string, from: number): Promise<string> {
  const runId = await world.receive(name, peopleCsv(5, from))
  await intake(world.app, { runId })
  return runId
}

async function runJson(world: World, ...args: string[]) {
  const { code, stdout, stderr } = await runCredsync(world, [...args, '--json'])
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function settled(world: World, runId: string): Promise<void> {
  await until(`the run ${runId} to be settled`, async () => {
    const found = await world.app.ledger.runs.withStates(runId)
    return found?.run.settledAt !== null || JSON.stringify(found.states)
  })
}

describeWithDatabase('a ledger that was lost', () => {
  test('is restored from a backup, adopts what was issued since, and goes on: everyone has one credential', async () => {
    await using world = await openWorld()
    await issueList(world, 'settled.csv', peopleCsv(5, 1))
    const waiting = await takeIn(world, 'waiting.csv', 11)
    const dump = await dumpLedger(world.databaseUrl, world.folder)
    const backup = dump ?? (await backUpWorld(world))

    await issueList(world, 'later.csv', peopleCsv(5, 21))
    await anotherWorker(world, () => settled(world, waiting))
    expectEachOnce(world, 15)

    await backup.restore()
    expect(await statesOf(world)).toEqual([...fiveTimes('issued'), ...fiveTimes('pending')])

    // Somebody starts a worker too early: it reads lists and the report, and sends nothing.
    const next = await world.receive('next.csv', peopleCsv(5, 31))
    await anotherWorker(world, async (app, notes) => {
      expect(notes).toContain('sending.stopped')
      await until('the next list', async () => (await app.ledger.runs.find(next))?.state === 'published')
      await until('a prepared batch', async () => (await app.ledger.attempts.countPrepared()) > 0)
      expect(await app.ledger.work.takeAttemptsToSend()).toEqual([])
    })
    expect((await statesOf(world)).slice(5)).toEqual([...fiveTimes('pending'), ...fiveTimes('pending')])
    expect((await runCredsync(world, ['status'])).stdout).toMatch(/^Nothing has been sent .*credsync trust-ledger/)
    expectEachOnce(world, 15)

    // Those of later.csv are new to the ledger; those of waiting.csv are there, and take the credential that they have.
    const expected = { items: 15, known: 5, adopted: 5, taken: 5, left: [], unread: [], unmatched: [] }
    expect(await runJson(world, 'adopt', '--pipeline', 'spring', '--dry-run')).toMatchObject(expected)
    expect(await runJson(world, 'adopt', '--pipeline', 'spring', '--yes')).toMatchObject(expected)
    const again = { items: 15, known: 15, adopted: 0, taken: 0 }
    expect(await runJson(world, 'adopt', '--pipeline', 'spring', '--yes')).toMatchObject(again)
    const trust = await runCredsync(world, ['trust-ledger', '--reason', 'adopted', '--yes'])
    expect([trust.code, trust.code === 0 ? '' : trust.stderr]).toEqual([0, ''])

    // The worker goes on, and the lists since the backup are submitted again.
    const laterAgain = await takeIn(world, 'later.csv', 21)
    await anotherWorker(world, async () => {
      await settled(world, next)
      await settled(world, waiting)
    })
    expect(await world.app.ledger.runs.find(laterAgain)).toMatchObject({ rows: 5, accepted: 0, skipped: 5 })
    expect(new Set(await statesOf(world))).toEqual(new Set(['issued']))
    for (const { student, credentialId } of world.sandbox.requests()) {
      const { issuances } = await runJson(world, 'explain', String(student.Email))
      expect(issuances).toMatchObject([{ state: 'issued', credentialId }])
    }
    expectEachOnce(world, 20)
  })
})
