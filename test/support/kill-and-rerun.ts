// Kills the program with SIGKILL in the middle of a file, then runs the same command again.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { stringify } from 'yaml'
import { audit } from './auditor.ts'
import { runProgram } from './run-program.ts'
import { until } from './until.ts'
import { peopleCsv, timesIssued, type World, worldEnv, worldFile } from './world.ts'

export interface KilledRun {
  list: { name: string; content: string | Buffer; people: number }
  batch: object
  /** Returns true as soon as the ledger and the sandbox show the state in which the program is to be killed. */
  shouldKill: (world: World) => Promise<boolean>
  redisUrl?: string
}

/**
 * Submits `list` with `credsync issue`, kills the program as soon as `shouldKill` says so, runs the same command again
 * and compares the result with the sandbox's records.
 */
export async function killAndRerun(world: World, { list, batch, shouldKill, redisUrl }: KilledRun): Promise<void> {
  const config = join(world.folder, 'credsync.yaml')
  await writeFile(config, stringify(worldFile(world.sandbox, { pipeline: { batch }, invitations: { deadline: '5s' } })))
  const { people } = list
  const file = join(world.folder, list.name)
  await writeFile(file, list.content)
  const env = {
    ...worldEnv(world),
    ...(redisUrl && { REDIS_URL: redisUrl }),
  }
  const command = ['issue', file, '--pipeline', 'spring', '--config', config, '--wait', '--timeout', '4m', '--json']
  const first = runProgram(command, env)
  await until('the moment to kill it', () => shouldKill(world), { everyMs: 2 })
  first.kill('SIGKILL')
  expect((await first.ended).signal).toBe('SIGKILL')

  const rerun = runProgram(command, env)
  await sendSecondList(world, rerun.ended)
  const second = await rerun.ended
  expect(second.stderr).toContain('continuing with it')
  const document = JSON.parse(second.stdout)
  expect(document).toMatchObject({ rows: people, invalid: 0, skipped: 0, accepted: people, balanced: true })
  expect(document.states).toMatchObject({ issued: people })
  expect(second.code).toBe(0)
  const requestCounts = timesIssued(world.sandbox)
  expect([...requestCounts.values()].filter((count) => count !== 1)).toEqual([])
  expect(requestCounts.size).toBeGreaterThanOrEqual(people)
  await audit(world)
}

/**
 * Sends a second list, as the next night would. On a busy machine, or with several workers (which take about ten
 * seconds to notice a dead one), the killed process's calls may be given up only after everything else has been sent.
 * Then only requests that are sent and accepted later can prove that the report is up to date.
 */
async function sendSecondList(world: World, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const lostCalls = `SELECT FROM attempt WHERE error_code = 'WORKER_DIED'`
  await until(
    'the dead worker to be detected',
    async () => hasEnded || (await world.app.database.query(lostCalls)).rowCount > 0 || 'the ledger shows no lost call',
  )
  if (!hasEnded) await world.receive('next-night.csv', peopleCsv(10, 5_000))
}
