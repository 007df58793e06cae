// Notices in the ledger: one is open for each key, nobody reads the same change twice, and verbs that run at the same
// time neither deadlock nor repeat anything.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { NoticeStep } from '#src/extensions/notices/ledger/notice-store.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

const at = (minutes: number) => new Date(Date.parse('2026-11-24T06:00:00Z') + minutes * 60_000)
const about = { facts: { about: 'held', count: 1 }, recipients: ['ops'] }
const opening = (key: string): NoticeStep => ({
  do: 'open',
  key,
  kind: 'person',
  pipeline: null,
  since: at(0),
  ...about,
})
const ending = (key: string): NoticeStep => ({ do: 'recover', key, always: false, ...about })

const changesOf = async ({ ledger }: TestLedger) =>
  (await ledger.notices.changesFor('ops')).map(({ key, change }) => `${key} ${change}`)

async function deliver({ ledger }: TestLedger, minutes: number): Promise<void> {
  const changes = await ledger.notices.changesFor('ops')
  const ids = changes.map(({ id }) => id)
  await ledger.notices.makeMessage('ops', ids, {}, at(minutes))
  const message = await ledger.notices.dueMessage('ops', { now: at(minutes), latest: at(10_000) })
  await ledger.notices.noteDelivered(message?.id ?? '', at(minutes))
}

test('a notice is open once for each key, and its end is reported to those who read that it was open', async () => {
  await using testLedger = await openTestLedger()
  const { notices } = testLedger.ledger
  await notices.apply([opening('held spring'), opening('held autumn')], at(0))
  await notices.apply([opening('held spring')], at(1))
  expect(await changesOf(testLedger)).toEqual(['held autumn opened', 'held spring opened'])
  await notices.apply([ending('held autumn')], at(2))
  expect(await changesOf(testLedger)).toEqual(['held spring opened'])
  await deliver(testLedger, 3)
  await notices.apply([{ do: 'remind', key: 'held spring', ...about }], at(60))
  await notices.apply([{ do: 'remind', key: 'held spring', ...about }], at(60))
  expect(await changesOf(testLedger)).toEqual(['held spring reminded'])
  await notices.apply([ending('held spring')], at(90))
  expect(await changesOf(testLedger)).toEqual(['held spring recovered'])
  expect(await notices.open()).toEqual([])
  await deliver(testLedger, 91)
  expect(await changesOf(testLedger)).toEqual([])
})

test('workers that decide, compose and deliver at the same time repeat nothing', async () => {
  await using testLedger = await openTestLedger()
  const others = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const database = openDatabase(testLedger.url)
      return { database, ledger: await openWholeLedger(database, 'development') }
    }),
  )
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`)
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      others.map(async ({ ledger: { notices } }, worker) => {
        const own = worker % 2 === 0 ? keys : keys.toReversed()
        await notices.apply(own.map(opening), at(round * 10))
        const ids = (await notices.changesFor('ops')).map(({ id }) => id)
        await notices.makeMessage('ops', worker % 2 === 0 ? ids : ids.toReversed(), {}, at(round * 10))
        await notices.apply(
          own.map((key) => ({ do: 'remind', key, ...about })),
          at(round * 10 + 5),
        )
        await notices.watchedSince('notify', String(round), at(round))
      }),
    )
    const message = await testLedger.ledger.notices.dueMessage('ops', { now: at(1_000), latest: at(10_000) })
    await Promise.all(
      others.map(({ ledger: { notices } }, worker) =>
        worker % 2 === 0
          ? notices.noteDelivered(message?.id ?? '', at(round))
          : notices.noteUndelivered(message?.id ?? '', 'No.', at(round), at(round)),
      ),
    )
  }
  const { open, changes } = await testLedger.queryOne<{ open: number; changes: number }>(
    `SELECT (SELECT count(*) FROM notice) AS open, (SELECT count(*) FROM notice_change WHERE change = 'opened') AS changes`,
  )
  expect({ open, changes }).toEqual({ open: keys.length, changes: keys.length })
  for (const { database } of others) await database.close()
})

test('a message that is made waits for changes to its notices, and keeps none of them waiting meanwhile', async () => {
  await using testLedger = await openTestLedger()
  const { database, ledger } = testLedger
  await ledger.notices.apply([opening('held spring')], at(0))
  const ids = (await ledger.notices.changesFor('ops')).map(({ id }) => id)
  let making = Promise.resolve()
  await database.transaction(async (sql) => {
    await sql.query('SELECT FROM notice FOR UPDATE')
    making = ledger.notices.makeMessage('ops', ids, {}, at(1))
    await until('the message to wait', async () => {
      const { rows } = await database.query('SELECT FROM pg_locks WHERE NOT granted')
      return rows.length > 0
    })
    await sql.query('SELECT FROM notice_change FOR UPDATE NOWAIT')
  })
  await making
  expect(await changesOf(testLedger)).toEqual([])
})
