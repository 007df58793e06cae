// Runs the commands revoke and correct as processes of the real program and kills them with SIGKILL between two steps.
// According to the sandbox's record, a corrected person must have one valid credential, and no revocation may be sent
// twice.

import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openIssuedWorld, requestRevocation, revokeCallCount, runWorkerUntil } from '#test/support/revocation-steps.ts'
import { type RunningProgram, runProgram } from '#test/support/run-program.ts'
import { isLong, tally } from '#test/support/suite-size.ts'
import { type World, worldEnv, worldFile } from '#test/support/world.ts'

const preload = resolve(import.meta.dirname, 'kill-command.ts')

/** In the order of the work, each for a different person. Some run only in the nightly size. */
const all = [
  { command: 'correct', at: 'sql(INSERT INTO revocation):before' },
  { command: 'correct', at: "sql(SET state = 'sending'):before", nightly: true },
  { command: 'correct', at: 'wire.bodySent of a revocation' },
  { command: 'correct', at: 'wire.answerSeen of a revocation', nightly: true },
  { command: 'correct', at: 'sql(SET corrected_as):sent' },
  { command: 'correct', at: 'wire.bodySent' },
  { command: 'revoke', at: 'wire.bodySent of a revocation', nightly: true },
  { command: 'revoke', at: 'sql(outcome = $5):before' },
] as const
const points = all.filter((point) => isLong || !('nightly' in point))

describeWithDatabase('the commands revoke and correct, killed between their steps,', () => {
  test('leave a corrected person with one valid credential and send no revocation twice', async () => {
    await using world = await openIssuedWorld(points.length)
    const config = join(world.folder, 'credsync.yaml')
    await writeFile(config, stringify(worldFile(world.sandbox, { reconcile: { grace: '600ms' } })))
    const run = async (person: number, { command, at }: (typeof points)[number]) => {
      const set = command === 'correct' ? ['--set', 'Last Name=Byron'] : []
      const args = [command, `i${person}`, ...set, '--yes', '--config', config]
      return (await runUntilKilled(world, args, at).ended).signal
    }
    const ends: (string | null)[] = []
    for (const [index, point] of points.entries()) ends.push(await run(index + 1, point))
    expect(ends).toEqual(points.map(() => 'SIGKILL'))

    // The processes that made these calls are dead, so their calls may count as lost now instead of after the deadline.
    await world.app.database.query(`UPDATE revocation SET deadline_at = clock_timestamp() WHERE state = 'sending'`)
    // The first kill came before anything was stored, so the command is repeated.
    await requestRevocation(world, 1, 'Byron')
    await runWorkerUntil(world, async () => {
      for (const each of await world.app.ledger.revocations.toDecide())
        if (each.state === 'not_applied') await requestRevocation(world, each.issuanceId as number)
      const open = points.filter((point, at) => credentialsOf(world, at + 1) !== expected(point))
      return open.length === 0 || `${open.length} of ${points.length}: ${open.map(({ at }) => at).join(', ')}`
    })
    const { rows } = await world.app.database.query<{ count: number }>('SELECT count(*) AS count FROM revocation')
    expect(revokeCallCount(world)).toBeGreaterThanOrEqual(points.length)
    expect(revokeCallCount(world)).toBeLessThanOrEqual(rows[0]?.count ?? 0)
    await audit(world)
    tally('commands killed', { kills: ends.length, revocations: revokeCallCount(world) })
  })
})

const expected = ({ command }: (typeof points)[number]) =>
  command === 'correct' ? 'Lovelace revoked, Byron valid' : 'Lovelace revoked'

/** The credentials of a person, according to the sandbox's record. */
function credentialsOf({ sandbox }: World, person: number): string {
  return sandbox
    .requests()
    .filter(({ student }) => student.Email === `person.${person}@example.org`)
    .map(
      (request) =>
        `${request.student['Last Name']} ${request.status === 3 && !request.revokedAt ? 'valid' : request.revokedAt ? 'revoked' : 'under way'}`,
    )
    .join(', ')
}

function runUntilKilled(world: World, args: readonly string[], at: string): RunningProgram {
  return runProgram(args, {
    ...worldEnv(world),
    NODE_OPTIONS: `--import=${preload}`,
    CRASH_AT: at,
  })
}
