// A worker that tends an inbox dies before and after every verb that it has for that: each file is one run, and lies in one place.

import { rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { collect } from '#jobs/collect.ts'
import type { Tools } from '#jobs/tools.ts'
import { askForLooks } from '#jobs/watch-inboxes.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openDesk } from '#test/support/inbox-desk.ts'
import { peopleCsv } from '#test/support/world.ts'
import { type InboxLife, inboxLives } from './inbox-lives.ts'
import { liveUntil } from './life.ts'

type Desk = Awaited<ReturnType<typeof openDesk>>

describeWithDatabase('a worker that dies while it tends an inbox', () => {
  test('makes one run of each file, and puts each away once', async () => {
    const desk = await openDesk()
    const { ledger } = desk.app
    for (const [index, each] of inboxLives.entries()) {
      await desk.drop(`list-${index}.csv`, peopleCsv(1, index))
      await desk.clock.advance(60_000)
      await die(desk, each)
    }
    await desk.clock.advance(60_000)
    await desk.look()
    const runs = await ledger.listRuns()
    expect(runs.map(({ sourceName }) => sourceName).toSorted()).toEqual(
      inboxLives.map((_, index) => `list-${index}.csv`).toSorted(),
    )
    for (const run of runs) await desk.settle(run)
    await desk.look()
    expect([await desk.in('.'), await desk.in('processing')]).toEqual([['done', 'processing'], []])
    expect(await desk.in('done')).toHaveLength(runs.length)
    expect(await ledger.inboxes.unfiled('spring')).toEqual([])
    expect(await desk.memory()).toMatchObject({ problem: null })
  })
})

async function die(desk: Desk, { story, at }: InboxLife): Promise<void> {
  const { app, inbox, tools } = desk
  const folderGone = story === 'collect without the folder'
  if (story === 'collect with a run at rest') for (const run of await app.ledger.listRuns()) await desk.settle(run)
  // What an earlier life asked for counts as lost.
  await app.database.query('UPDATE inbox_look SET asked_at = NULL')
  if (folderGone) await rename(inbox, `${inbox}-away`)
  const died = await liveUntil(desk, at, async ({ ledger }) => {
    const own: Tools = { ...tools, ledger }
    await (story === 'ask for looks' ? askForLooks(own) : collect(own, { pipeline: 'spring' }))
  })
  if (folderGone) await rename(`${inbox}-away`, inbox)
  expect([at, died]).toEqual([at, true])
}
