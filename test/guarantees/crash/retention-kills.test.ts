// Kills a worker before and after each step of retention. The next turn must delete the data of everybody on the old
// list, leave the newest list alone, and nobody may be issued twice.

import { expect, test } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { expireData } from '#jobs/privacy/expire-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issueList, openIssuedWorld } from '#test/support/revocation-steps.ts'
import { peopleCsv, timesIssued, type World } from '#test/support/world.ts'
import { runUntilKilled } from './kill-at-verb.ts'
import { killedElsewhere } from './verbs-without-points.ts'

const verbs = ['retention.expireRows', 'retention.expirePeople']
const days = 30

/** Opens a world with a list of two people that is older than the pipeline keeps data, and a newer one with the second. */
async function openOldList(): Promise<World> {
  const world = await openIssuedWorld(2, { pipeline: { retentionDays: days } })
  const [head = '', , second = ''] = peopleCsv(2).split('\n')
  await issueList(world, 'newer.csv', `${head}\n${second}\n`)
  const back = ['received_at', 'published_at', 'settled_at'].map(
    (name) => `${name} = ${name} - make_interval(days => $1)`,
  )
  await world.app.database.query(`UPDATE run SET ${back.join(', ')} WHERE source_name = 'list.csv'`, [days + 1])
  return world
}

const emptied = async ({ app: { database } }: World) =>
  (await database.query<{ empty: boolean }>('SELECT recipient IS NULL AS empty FROM issuance ORDER BY id')).rows.map(
    ({ empty }) => empty,
  )

describeWithDatabase('a worker killed while data expire', () => {
  test.each(verbs.flatMap((verb) => [`${verb}:before`, `${verb}:after`]))(
    'at %s leaves a rest for the next turn',
    async (at) => {
      expect([...(killedElsewhere['test/guarantees/crash/retention-kills.test.ts'] ?? [])].sort()).toEqual(
        [...verbs].sort(),
      )
      await using world = await openOldList()
      expect(await runUntilKilled(world, at, (tools: ExtensionTools) => expireData({ ...world.app, ...tools }))).toBe(
        true,
      )
      while (await expireData(world.app));
      expect(await emptied(world)).toEqual([true, false])
      const { rows } = await world.app.database.query(
        `SELECT run.source_name AS list, r.cells = '[]' AS empty FROM run_row r JOIN run ON run.id = r.run_id ORDER BY 1, r.row_number`,
      )
      expect(rows).toEqual([
        { list: 'list.csv', empty: true },
        { list: 'list.csv', empty: true },
        { list: 'newer.csv', empty: false },
      ])
      await issueList(world, 'again.csv', `${peopleCsv(2)}\n`)
      expect([...timesIssued(world.sandbox).values()]).toEqual([1, 1])
    },
  )
})
