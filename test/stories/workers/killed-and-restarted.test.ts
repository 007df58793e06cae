// Kills `credsync issue` with SIGKILL between two batches and starts it again with the same command. The sandbox's records
// must show that each person got exactly one credential, with their own image. The crash suite (test/guarantees/crash)
// covers the points in between.

import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { imageOf, peopleZip } from '#test/support/portraits.ts'
import { runProgram } from '#test/support/run-program.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, timesIssued, type World, worldEnv, worldFile } from '#test/support/world.ts'

const people = 100

describeWithDatabase('a run that was killed and started again', () => {
  test('gives each person exactly one credential, with their own image', async () => {
    await using world = await openWorld()
    const config = join(world.folder, 'credsync.yaml')
    const pipeline = { batch: { size: 10, mode: 'upload' } }
    await writeFile(config, stringify(worldFile(world.sandbox, { pipeline, invitations: { deadline: '5s' } })))
    const file = join(world.folder, 'list.zip')
    await writeFile(file, peopleZip(1, people))
    const command = ['issue', file, '--pipeline', 'spring', '--config', config, '--wait', '--timeout', '4m', '--json']
    const first = runProgram(command, worldEnv(world))
    await until('the moment to kill it', () => world.sandbox.journal().invitesAccepted >= 3, { everyMs: 2 })
    first.kill('SIGKILL')
    expect((await first.ended).signal).toBe('SIGKILL')

    const again = runProgram(command, worldEnv(world))
    await sendSecondList(world, again.ended)
    const { code, stdout, stderr } = await again.ended
    expect(stderr).toContain('continuing with it')
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({ rows: people, invalid: 0, skipped: 0, accepted: people, balanced: true })
    expect(document.states).toMatchObject({ issued: people })
    expect(code).toBe(0)
    expect([...timesIssued(world.sandbox).values()].filter((count) => count !== 1)).toEqual([])
    const wrong = world.sandbox.requests().filter(({ student, image }) => {
      const person = Number(/\d+/.exec(String(student.Email))?.[0])
      return person <= people && image !== hash('sha256', imageOf(person))
    })
    expect(wrong).toEqual([])
    await audit(world)
  })
})

/**
 * Sends a second list, as the next night would. The killed process's calls may be given up only after everything else
 * has been sent. Then only requests that are sent and accepted later can prove that the report is up to date.
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
