// The program killed with SIGKILL in the middle of a file, and started again by the same command.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { stringify } from 'yaml'
import { audit } from './auditor.ts'
import { runProgram } from './program.ts'
import { until } from './until.ts'
import { peopleCsv, timesIssued, type World, worldEnv, worldFile } from './world.ts'

export interface KilledRun {
  list: { name: string; content: string | Buffer; people: number }
  batch: object
  /** What the ledger and the sandbox show when the program is to die. */
  reached: (world: World) => Promise<boolean>
  redisUrl?: string
}

/**
 * Hands `list` over by `credsync issue`, kills the program when the moment has come, says the same command again, and holds what came of it
 * against the sandbox's book.
 */
export async function killAndGoOn(world: World, { list, batch, reached, redisUrl }: KilledRun): Promise<void> {
  const config = join(world.folder, 'credsync.yaml')
  await writeFile(config, stringify(worldFile(world.sandbox, { pipeline: { batch }, invitations: { deadline: '5s' } })))
  const { people } = list
  const file = join(world.folder, list.name)
  await writeFile(file, list.content)
  const env = {
    ...worldEnv(world),
    ...(redisUrl && { REDIS_URL: redisUrl }),
  }
  const command = ['issue', file, '--pipeline', 'spring', '--config', config, '--wait', '--timeout', '80s', '--json']
  const first = runProgram(command, env)
  await until('the moment to kill it', () => reached(world), { ms: 60_000, everyMs: 2 })
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
 * Where several workers may be alive, a dead one's calls are given up some ten seconds later, when everything else has long been sent.
 * Only what is sent and accepted later can then prove that the report is not behind: a second list, as the next night brings it.
 */
async function sendSomethingLater(world: World, ended: Promise<unknown>): Promise<void> {
  let over = false
  void ended.then(() => {
    over = true
  })
  const dead = `SELECT FROM attempt WHERE error_code = 'WORKER_DIED'`
  await until(
    'the dead one to be noticed',
    async () => over || (await world.app.database.query(dead)).rowCount > 0 || 'nothing of it in the ledger',
  )
  if (!over) await world.receive('next-night.csv', peopleCsv(10, 5_000))
}
