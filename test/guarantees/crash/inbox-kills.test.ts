// Kills a worker before and after every ledger verb that it uses for an inbox. Each file must become one run and end in
// one folder.

import { rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { collect } from '#jobs/collect.ts'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { enqueueInboxScans } from '#jobs/inbox/enqueue-scans.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openInboxBench } from '#test/support/inbox-bench.ts'
import { peopleCsv } from '#test/support/world.ts'
import { type InboxKill, inboxKills } from './inbox-kill-points.ts'
import { runUntilKilled } from './kill-at-verb.ts'

type Bench = Awaited<ReturnType<typeof openInboxBench>>

describeWithDatabase('a worker killed while it processes an inbox', () => {
  test('makes one run from each file and moves each file once', async () => {
    const bench = await openInboxBench()
    const { ledger } = bench.app
    for (const [index, each] of inboxKills.entries()) {
      await bench.drop(`list-${index}.csv`, peopleCsv(1, index))
      await bench.clock.advance(60_000)
      await killAt(bench, each)
    }
    await bench.clock.advance(60_000)
    await bench.scan()
    const runs = await ledger.runs.list()
    expect(runs.map(({ sourceName }) => sourceName).toSorted()).toEqual(
      inboxKills.map((_, index) => `list-${index}.csv`).toSorted(),
    )
    for (const run of runs) await bench.settle(run)
    await bench.scan()
    expect([await bench.filesIn('.'), await bench.filesIn('processing')]).toEqual([['done', 'processing'], []])
    expect(await bench.filesIn('done')).toHaveLength(runs.length)
    expect(await ledger.inboxes.unfiled('spring')).toEqual([])
    expect(await bench.inboxStatus()).toMatchObject({ problem: null })
  })
})

async function killAt(bench: Bench, { job, at }: InboxKill): Promise<void> {
  const { app, inbox, tools } = bench
  const folderGone = job === 'collect without the folder'
  if (job === 'collect with a settled run') for (const run of await app.ledger.runs.list()) await bench.settle(run)
  // Jobs requested by an earlier process count as lost.
  await app.database.query('UPDATE inbox_look SET asked_at = NULL')
  if (folderGone) await rename(inbox, `${inbox}-away`)
  const killed = await runUntilKilled(bench, at, async ({ ledger }) => {
    const own: ExtensionTools = { ...tools, ledger }
    await (job === 'schedule checks' ? enqueueInboxScans(own) : collect(own, { pipeline: 'spring' }))
  })
  if (folderGone) await rename(`${inbox}-away`, inbox)
  expect([at, killed]).toEqual([at, true])
}
