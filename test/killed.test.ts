// The program is killed with SIGKILL in the middle and started again by the same command. The sandbox's book is the judge.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { audit } from './support/auditor.ts'
import { describeWithDatabase } from './support/database.ts'
import { runProgram } from './support/program.ts'
import { describeWithRedis } from './support/redis.ts'
import { openWorld, peopleCsv, timesIssued, type World, worldFile } from './support/world.ts'

const people = 600
const size = 10

/** What the ledger and the sandbox show when the program is to die. */
const moments: { name: string; reached: (world: World) => Promise<boolean> }[] = [
  {
    name: 'while the file is being read',
    reached: async ({ app }) => (await app.database.query('SELECT FROM staged_row LIMIT 1')).rowCount > 0,
  },
  {
    name: 'as the first batch goes out',
    reached: async ({ sandbox }) => sandbox.journal().invitesAccepted >= 1,
  },
  {
    name: 'between batches',
    reached: async ({ sandbox }) => sandbox.journal().invitesAccepted >= 15,
  },
  {
    name: 'while the report is followed',
    reached: async ({ app }) => (await app.database.query('SELECT FROM claim LIMIT 1')).rowCount > 0,
  },
]

async function killAndGoOn(world: World, moment: (typeof moments)[number], redisUrl?: string): Promise<void> {
  const config = join(world.folder, 'credsync.yaml')
  await writeFile(
    config,
    stringify(worldFile(world.sandbox, { pipeline: { batch: { size } }, invitations: { deadline: '5s' } })),
  )
  const file = join(world.folder, 'list.csv')
  await writeFile(file, peopleCsv(people))
  const env = {
    CREDSYNC_BASE_URL: world.wire.url,
    CREDSYNC_KEY: world.sandbox.key,
    CREDSYNC_SECRET: world.sandbox.secret,
    CREDSYNC_DATA_DIR: world.folder,
    DATABASE_URL: world.databaseUrl,
    ...(redisUrl && { REDIS_URL: redisUrl }),
  }
  const command = ['issue', file, '--pipeline', 'spring', '--config', config, '--wait', '--timeout', '80s', '--json']
  const first = runProgram(command, env)
  await expect.poll(() => moment.reached(world), { timeout: 20_000, interval: 2 }).toBe(true)
  first.kill('SIGKILL')
  expect((await first.ended).signal).toBe('SIGKILL')

  const going = runProgram(command, env)
  if (redisUrl) await sendSomethingLater(world, going.ended)
  const second = await going.ended
  expect(second.stderr).toContain('going on with it')
  const document = JSON.parse(second.stdout)
  expect(document).toMatchObject({ rows: people, invalid: 0, skipped: 0, accepted: people, balanced: true })
  expect(document.states).toMatchObject({ issued: people })
  expect(second.code).toBe(0)
  const times = timesIssued(world.sandbox)
  expect([...times.values()].filter((count) => count !== 1)).toEqual([])
  expect(times.size).toBeGreaterThanOrEqual(people)
  await audit(world)
}

/**
 * Where several workers may be alive, a dead one's calls are given up at their deadline, when everything else has long been sent.
 * Only what is sent and accepted later can then prove that the report is not behind: a second list, as the next night brings it.
 */
async function sendSomethingLater(world: World, ended: Promise<unknown>): Promise<void> {
  let over = false
  void ended.then(() => {
    over = true
  })
  const dead = `SELECT FROM attempt WHERE error_code = 'WORKER_DIED'`
  await expect
    .poll(async () => over || (await world.app.database.query(dead)).rowCount > 0, { timeout: 90_000 })
    .toBe(true)
  if (!over) await world.receive('next-night.csv', peopleCsv(10, 5_000))
}

// Each of them mostly waits for the pace of its sandbox.
describe.concurrent('a run that was killed and started again issues each person once', () => {
  describeWithDatabase('on PostgreSQL', () => {
    // What lies between is the crash suite's (test/guarantees/crash), point by point.
    test.each([moments[0], moments[3]].flatMap((moment) => moment ?? []))(
      '$name',
      async (moment) => {
        await using world = await openWorld()
        await killAndGoOn(world, moment)
      },
      120_000,
    )
  })

  describeWithRedis('on Redis', ({ url }) => {
    // Several workers may be alive there, so a dead one is noticed by its deadlines and not at once.
    test('between batches', async () => {
      await using world = await openWorld({ redisUrl: url })
      const moment = moments[2]
      if (moment) await killAndGoOn(world, moment, url)
    }, 120_000)
  })
})
