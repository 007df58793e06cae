// The commands revoke and correct, each a process of the real program that is killed with SIGKILL between two of its steps. The sandbox's book is the
// judge: whoever was corrected holds one valid credential, and no revocation is called twice.

import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { type RunningProgram, runProgram } from '#test/support/program.ts'
import { atWork, calls, issued, want } from '#test/support/revoking.ts'
import { long, tally } from '#test/support/size.ts'
import { type World, worldEnv, worldFile } from '#test/support/world.ts'

const preload = resolve(import.meta.dirname, 'kill-command.ts')

/** In the order of the story, each for a person of its own; some of them at night only. */
const all = [
  { command: 'correct', at: 'sql(INSERT INTO revocation):before' },
  { command: 'correct', at: "sql(SET state = 'sending'):before", night: true },
  { command: 'correct', at: 'wire.bodySent of a revocation' },
  { command: 'correct', at: 'wire.answerSeen of a revocation', night: true },
  { command: 'correct', at: 'sql(SET corrected_as):sent' },
  { command: 'correct', at: 'wire.bodySent' },
  { command: 'revoke', at: 'wire.bodySent of a revocation', night: true },
  { command: 'revoke', at: 'sql(outcome = $5):before' },
] as const
const points = all.filter((point) => long || !('night' in point))

describeWithDatabase('the commands revoke and correct, killed between their steps', () => {
  test('leave whoever was corrected one valid credential, and call no revocation twice', async () => {
    await using world = await issued(points.length)
    const config = join(world.folder, 'credsync.yaml')
    await writeFile(config, stringify(worldFile(world.sandbox, { reconcile: { grace: '600ms' } })))
    const run = async (person: number, { command, at }: (typeof points)[number]) => {
      const set = command === 'correct' ? ['--set', 'Last Name=Byron'] : []
      const args = [command, `i${person}`, ...set, '--yes', '--config', config]
      return (await runDying(world, args, at).ended).signal
    }
    const ends: (string | null)[] = []
    for (const [index, point] of points.entries()) ends.push(await run(index + 1, point))
    expect(ends).toEqual(points.map(() => 'SIGKILL'))

    // Calls of a dead process are lost when their deadline has passed; the margin is for one that lives.
    await world.app.database.query(`UPDATE revocation SET deadline_at = clock_timestamp() WHERE state = 'sending'`)
    // Of the first nothing was kept, so its command is said again.
    await want(world, 1, 'Byron')
    await atWork(world, async () => {
      for (const each of await world.app.ledger.revocations.toDecide())
        if (each.state === 'not_applied') await want(world, each.issuanceId as number)
      const open = points.filter((point, at) => held(world, at + 1) !== expected(point))
      return open.length === 0 || `${open.length} of ${points.length}: ${open.map(({ at }) => at).join(', ')}`
    })
    const { rows } = await world.app.database.query<{ count: number }>('SELECT count(*) AS count FROM revocation')
    expect(calls(world)).toBeGreaterThanOrEqual(points.length)
    expect(calls(world)).toBeLessThanOrEqual(rows[0]?.count ?? 0)
    await audit(world)
    tally('commands killed', { kills: ends.length, revocations: calls(world) })
  }, 120_000)
})

const expected = ({ command }: (typeof points)[number]) =>
  command === 'correct' ? 'Lovelace revoked, Byron valid' : 'Lovelace revoked'

/** What a person holds, by the sandbox's book. */
function held({ sandbox }: World, person: number): string {
  return sandbox
    .requests()
    .filter(({ student }) => student.Email === `person.${person}@example.org`)
    .map(
      (each) =>
        `${each.student['Last Name']} ${each.status === 3 && !each.revokedAt ? 'valid' : each.revokedAt ? 'revoked' : 'under way'}`,
    )
    .join(', ')
}

function runDying(world: World, args: readonly string[], at: string): RunningProgram {
  return runProgram(args, {
    ...worldEnv(world),
    NODE_OPTIONS: `--import=${preload}`,
    CRASH_AT: at,
  })
}
