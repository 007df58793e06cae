// Kills a worker before and after each step of an erasure. The next worker must carry it out: nothing of the person is
// left, the others are untouched, and nobody is issued twice.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { carryOutErasures } from '#jobs/privacy/carry-out-erasures.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issueList, openIssuedWorld, runWorkerUntil } from '#test/support/revocation-steps.ts'
import { peopleCsv, timesIssued, type World } from '#test/support/world.ts'
import { writeErasure } from '#test/support/write-erasure.ts'
import { runUntilKilled } from './kill-at-verb.ts'
import { killedElsewhere } from './verbs-without-points.ts'

const file = 'test/guarantees/crash/erasure-kills.test.ts'

/** By verb: whether the credential is to be revoked first. The keys must equal this file's entry in `killedElsewhere`. */
const kills: Readonly<Record<string, { revokes: boolean }>> = {
  'erasures.withdraw': { revokes: false },
  'erasures.revoke': { revokes: true },
  'erasures.noteWaiting': { revokes: true },
  'erasures.emptyEvents': { revokes: false },
  'erasures.emptyNext': { revokes: false },
  'erasures.listRuns': { revokes: false },
  'erasures.noteCleaned': { revokes: false },
  'archives.noteRemoved': { revokes: false },
  'erasures.end': { revokes: false },
}
const spared = 2

describeWithDatabase('a worker killed while it forgets people', () => {
  test('leaves a rest that the next worker carries out', async () => {
    expect(Object.keys(kills).sort()).toEqual([...(killedElsewhere[file] ?? [])].sort())
    const cases = Object.entries(kills).flatMap(([verb, kill]) =>
      ['before', 'after'].map((when) => ({ at: `${verb}:${when}`, ...kill })),
    )
    const people = cases.length + spared
    await using world = await openIssuedWorld(people)
    // An archive without certificates.
    await world.app.ledger.archives.watch([{ pipeline: 'spring', folder: join(world.folder, 'certificates') }])
    const revoked: number[] = []
    for (const [index, { at, revokes }] of cases.entries()) {
      const id = index + 1
      if (revokes) revoked.push(id)
      await writeErasure(world.app.ledger, { ids: [id], revokes })
      expect(await runUntilKilled(world, at, (tools: ExtensionTools) => carryOutErasures(tools)), at).toBe(true)
      if (!revokes) await carryOutErasures(world.app)
      expect(await emptied(world, id), at).toBe(!revokes)
    }
    await runWorkerUntil(world, async () => (await world.app.ledger.erasures.open()).length === 0)
    await issueList(world, 'again.csv', `${peopleCsv(people)}\n`)
    const { rows } = await world.app.database.query<{ id: number; state: string; empty: boolean }>(
      'SELECT id, state, recipient IS NULL AS empty FROM issuance ORDER BY id',
    )
    expect(rows).toEqual(
      Array.from({ length: people }, (_, index) => ({
        ...{ id: index + 1, state: revoked.includes(index + 1) ? 'revoked' : 'issued', empty: index < cases.length },
      })),
    )
    expect([...timesIssued(world.sandbox).values()].every((times) => times === 1)).toBe(true)
  })
})

async function emptied({ app: { database } }: World, id: number): Promise<boolean> {
  const { rows } = await database.query<{ empty: boolean }>(
    'SELECT recipient IS NULL AS empty FROM issuance WHERE id = $1',
    [id],
  )
  return rows[0]?.empty === true
}
