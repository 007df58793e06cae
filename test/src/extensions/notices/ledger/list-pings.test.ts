// Of which lists the watchdog of a pipeline is told, and how far they are.

import { expect, test } from 'vitest'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const since = hoursAgo(10)
const open = true

/** Lists, the first of which came last: what is to be reported of them, if anything. */
const lists: [name: string, phase: string | null, more: Record<string, unknown>, isOpen?: boolean][] = [
  ['waits to be read', 'taken', { state: 'received' }],
  ['is sent in part', 'taken', {}, open],
  ['is sent', 'sent', {}],
  ['was refused', 'failed', { state: 'refused' }],
  ['is held', 'failed', { state: 'braked' }],
  ['was sent since', 'sent', { ping: 'taken' }],
  ['was sent in part since', null, { ping: 'taken' }, open],
  ['was refused since', 'failed', { ping: 'taken', state: 'refused' }],
  ['was approved and sent', 'sent', { ping: 'failed' }],
  ['was approved and waits', 'taken', { ping: 'failed', state: 'received' }],
  ['is held, and known to be', null, { ping: 'failed', state: 'braked' }],
  ['is refused, and known to be', null, { ping: 'failed', state: 'refused' }],
  ['is sent, and known to be', null, { ping: 'sent' }],
  ['is known to be sent, and open again', null, { ping: 'sent' }, open],
  ['is an adoption', null, { adopts: 'Welding' }],
  ['is a correction', null, { corrects: 1 }],
  ['is of autumn', null, { pipeline: 'autumn' }],
  ['is of autumn, and reported', null, { pipeline: 'autumn', ping: 'taken' }],
  ['is of production', null, { environment: 'production' }],
  ['is of production, and reported', null, { environment: 'production', ping: 'taken' }],
  ['came when there was an address', 'sent', { received_at: since }],
  ['came when there was an address, and is reported', 'sent', { received_at: since, ping: 'taken' }],
  ['came before', null, { received_at: hoursAgo(11) }],
  ['came before, and is reported', null, { received_at: hoursAgo(11), ping: 'taken' }],
]

describeWithDatabase('lists of which a watchdog is told', () => {
  test('are those whose phase it does not know, in the order in which they came', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await using unordered = await openUnordered(testLedger)
    const names = new Map<string, string>()
    for (const [index, [name, , more, isOpen]] of lists.entries()) {
      const id = await addRun(database, name, { received_at: new Date(since.getTime() + 3_600_000 - index), ...more })
      names.set(id, name)
      if (isOpen)
        await withoutTriggers(
          database,
          `INSERT INTO run_count (run_id, state, rows, surplus) VALUES ($1, 'pending', 1, 0)`,
          [id],
        )
    }
    const found = async () =>
      (await unordered.ledger.notices.listsToPing('spring', since)).map(
        ({ run, phase }) => `${names.get(run)}: ${phase}`,
      )
    const all = await found()
    const expected = lists.flatMap(([name, phase]) => (phase ? [`${name}: ${phase}`] : []))
    expect(all.toSorted()).toEqual(expected.toSorted())
    expect(all.slice(2)).toEqual(expected.slice(0, -2).toReversed())
    const first = [...names].find(([, name]) => name === 'is held')?.[0] ?? ''
    await withoutTriggers(database, `UPDATE run SET environment = 'production' WHERE source_name = 'was refused'`)
    const other = [...names].find(([, name]) => name === 'was refused')?.[0] ?? ''
    for (const run of [first, other]) await ledger.notices.notePing({ run, phase: 'failed' })
    const { rows } = await database.query<{ name: string }>(
      `SELECT source_name AS name FROM run WHERE ping = 'failed' ORDER BY 1`,
    )
    const known = [
      'is held, and known to be',
      'is refused, and known to be',
      'was approved and sent',
      'was approved and waits',
    ]
    expect(rows.map(({ name }) => name)).toEqual(['is held', ...known])
  })
})
