// Which messages about notices are made, are due and have failed: those of one recipient, beside those of another one and
// of another environment.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { Database } from '#src/platform/database/database.ts'
import { addChange, addMessage, addNotice } from '#test/support/add-notice.ts'
import { addRun } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const at = (minutes: number) => new Date(Date.parse('2026-03-01T06:00:00Z') + minutes * 60_000)
const horizon = { since: at(0), lastBefore: at(-15), latest: at(15) }
const production = { environment: 'production' }

describeWithDatabase('a message', () => {
  const cases: [what: string, isMade: boolean, add: (database: Database, notice: number) => Promise<unknown>][] = [
    ['something waits', true, async () => {}],
    ['something has just come', false, (db) => db.query('UPDATE notice_change SET at = $1', [at(1)])],
    ['something came in time', true, (db) => db.query('UPDATE notice_change SET at = $1', [at(0)])],
    ['something came at a wrong time', true, (db) => db.query('UPDATE notice_change SET at = $1', [at(16)])],
    ['something comes as late as possible', false, (db) => db.query('UPDATE notice_change SET at = $1', [at(15)])],
    ['another recipient is meant', false, (db) => db.query(`UPDATE notice_change SET recipient = 'office'`)],
    ['another environment is meant', false, (db) => db.query(`UPDATE notice SET environment = 'production'`)],
    [
      'it is in a message',
      false,
      async (db) =>
        db.query('UPDATE notice_change SET message_id = $1', [await addMessage(db, { delivered_at: at(-99) })]),
    ],
    ['a message waits', false, (db) => addMessage(db)],
    ['a message of another recipient waits', true, (db) => addMessage(db, { recipient: 'office' })],
    ['a message waits in another environment', true, (db) => addMessage(db, production)],
    ['a message was given up', true, (db) => addMessage(db, { given_up_at: at(0) })],
    ['a message was just made', false, (db) => addMessage(db, { delivered_at: at(0), created_at: at(-14) })],
    ['a message was made earlier', true, (db) => addMessage(db, { delivered_at: at(0), created_at: at(-15) })],
    [
      'a message was made at the last moment',
      false,
      (db) => addMessage(db, { delivered_at: at(0), created_at: at(15) }),
    ],
    ['a message was made at a wrong time', true, (db) => addMessage(db, { delivered_at: at(0), created_at: at(16) })],
    [
      'a message of another recipient was just made',
      true,
      (db) => addMessage(db, { recipient: 'office', delivered_at: at(0), created_at: at(-1) }),
    ],
    [
      'a message was just made in another environment',
      true,
      (db) => addMessage(db, { ...production, delivered_at: at(0), created_at: at(-1) }),
    ],
  ]
  test('is made of what waits, unless another one waits or was just made', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    for (const [what, isMade, add] of cases) {
      await database.query('TRUNCATE notice_change, notice_message, notice')
      const notice = await addNotice(database, 'held')
      await addChange(database, notice)
      await add(database, notice)
      expect({ what, made: await ledger.notices.toCompose(['ops'], horizon) }).toEqual({
        what,
        made: isMade ? ['ops'] : [],
      })
    }
  })

  const dueCases: [what: string, isDue: boolean, more: Record<string, unknown>][] = [
    ['is due', true, { due_at: at(0) }],
    ['is due later', false, { due_at: at(1) }],
    ['is due at the last moment', false, { due_at: at(15) }],
    ['is due at a wrong time', true, { due_at: at(16) }],
    ['was delivered', false, { delivered_at: at(0) }],
    ['was given up', false, { given_up_at: at(0) }],
    ['is for somebody else', false, { recipient: 'office' }],
    ['is of another environment', false, production],
  ]
  test('is sent when it is due', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    for (const [what, isDue, more] of dueCases) {
      await database.query('DELETE FROM notice_message')
      const id = await addMessage(database, more)
      const due = { now: at(0), latest: at(15) }
      const message = await ledger.notices.dueMessage('ops', due)
      expect({ what, due: await ledger.notices.withDueMessages(['ops'], due) }).toEqual({
        what,
        due: isDue ? ['ops'] : [],
      })
      expect(message?.id ?? null).toBe(isDue ? id : null)
    }
  })

  test('has a result as long as it waits, and no other one has it', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const changed = async (id: string, verb: () => Promise<unknown>) => {
      const snapshot = async () =>
        (await database.query<{ id: string; values: string }>('SELECT id, m::text AS values FROM notice_message m'))
          .rows
      const before = await snapshot()
      await verb()
      const after = new Map((await snapshot()).map((each) => [each.id, each.values]))
      return before
        .filter((each) => after.get(each.id) !== each.values)
        .map((each) => (each.id === id ? 'own' : 'other'))
    }
    await addMessage(database, { recipient: 'office' })
    const done = await addMessage(database, { delivered_at: at(-9), created_at: at(-9) })
    const own = await addMessage(database)
    const { notices } = ledger
    expect(await changed(own, () => notices.noteUndelivered(own, 'No.', at(0), at(1)))).toEqual(['own'])
    expect(await changed(own, () => notices.noteRefused(own, 'No.', at(0)))).toEqual(['own'])
    expect(await changed(own, () => notices.noteDelivered(own, at(0)))).toEqual(['own'])
    for (const id of [own, done])
      for (const verb of [
        () => notices.noteUndelivered(id, 'No.', at(9), at(9)),
        () => notices.noteRefused(id, 'No.', at(9)),
        () => notices.noteDelivered(id, at(9)),
      ])
        expect(await changed(id, verb)).toEqual([])
  })

  test('that fails has failed since the one before it did', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await using unordered = await openUnordered(testLedger)
    const since = async (id: string) =>
      (
        await testLedger.queryOne<{ since: Date | null }>(
          'SELECT failing_since AS since FROM notice_message WHERE id = $1',
          [id],
        )
      ).since
    const failed = (minutes: number, more: Record<string, unknown> = {}) =>
      addMessage(database, { delivered_at: at(minutes), created_at: at(minutes), failing_since: at(minutes), ...more })
    await failed(-30)
    await failed(-20)
    await failed(-25)
    await failed(-5, { recipient: 'office' })
    await failed(-5, production)
    await failed(5)
    const own = await addMessage(database, { created_at: at(0) })
    await unordered.ledger.notices.noteUndelivered(own, 'No.', at(1), at(2))
    expect(await since(own)).toEqual(at(-20))
    await ledger.notices.noteUndelivered(own, 'No.', at(-22), at(2))
    expect(await since(own)).toEqual(at(-22))
    // One made at the same time is not before it.
    await database.query('DELETE FROM notice_message WHERE created_at <> $1', [at(0)])
    await database.query('UPDATE notice_message SET failing_since = NULL')
    await failed(0, { failing_since: at(-9) })
    await ledger.notices.noteDelivered(own, at(3), 'In part.')
    expect(await since(own)).toEqual(at(3))
  })

  test('is made although another notice is being changed', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const other = await addNotice(database, 'other')
    await addChange(database, other)
    const own = await addChange(database, await addNotice(database, 'own'))
    await database.transaction(async (sql) => {
      await sql.query('SELECT FROM notice WHERE id = $1 FOR UPDATE', [other])
      await ledger.notices.makeMessage('ops', [own], {}, at(0))
    })
    expect(await ledger.notices.dueMessage('ops', { now: at(0), latest: at(15) })).not.toBeNull()
  })

  test('is made once of its changes, and of no others', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const ids: number[] = []
    for (const key of ['a', 'b', 'c']) ids.push(await addChange(database, await addNotice(database, key)))
    await ledger.notices.makeMessage('ops', ids.slice(0, 2), {}, at(0))
    // Another message waits.
    await ledger.notices.makeMessage('ops', ids.slice(2), {}, at(0))
    const inMessages = async () =>
      (
        await database.query<{ id: number }>('SELECT id FROM notice_change WHERE message_id IS NOT NULL ORDER BY id')
      ).rows.map(({ id }) => id)
    expect(await inMessages()).toEqual(ids.slice(0, 2))
    await database.query('UPDATE notice_message SET delivered_at = now()')
    // One of them is in a message.
    await ledger.notices.makeMessage('ops', ids.slice(1), {}, at(0))
    expect(await inMessages()).toEqual(ids.slice(0, 2))
  })
})

describeWithDatabase('what a recipient is to read', () => {
  test('is what waits for them, the oldest first and summaries last, with what is known by now', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await using unordered = await openUnordered(testLedger)
    const { changesFor } = unordered.ledger.notices
    const add = async (key: string, change: Record<string, unknown> = {}, notice: Record<string, unknown> = {}) =>
      addChange(database, await addNotice(database, key, notice), { at: at(0), ...change })
    const run = await addRun(database, 'list', { rows: 1, accepted: 1 })
    await withoutTriggers(
      database,
      `INSERT INTO run_count (run_id, state, rows, surplus) VALUES ($1, 'issued', 2, 0)`,
      [run],
    )
    const summary = { about: 'summary', run }
    await add('first summary', { facts: summary }, { kind: 'summary' })
    await add('last summary', { facts: summary, change: 'recovered', at: at(1) }, { kind: 'summary' })
    await add('another kind', { facts: summary, at: at(2) })
    await add('later', { at: at(1) })
    await add('earlier')
    await add('of production', {}, production)
    await add('of the office', { recipient: 'office' })
    await add('in a message', { message_id: await addMessage(database) })
    const found = await changesFor('ops')
    expect(found.map(({ key }) => key)).toEqual([
      ...['earlier', 'later', 'another kind', 'first summary', 'last summary'],
    ])
    expect(found.map(({ facts }) => facts.states ?? null)).toEqual([null, null, null, { issued: 2 }, null])
  })
})

describeWithDatabase('the messages of each recipient', () => {
  const statuses = async ({ ledger }: Pick<TestLedger, 'ledger'>) =>
    (await ledger.notices.recipients()).map(
      ({ recipient, delivered, waiting, givenUp, tries, problem, lastGivenUpProblem }) =>
        [recipient, delivered, waiting, givenUp, tries, problem, lastGivenUpProblem].join(' '),
    )

  test('are counted, with the last problem and the last message that was given up', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const message = (minutes: number, more: Record<string, unknown>) =>
      addMessage(database, { created_at: at(minutes), ...more })
    await message(0, { recipient: 'z', delivered_at: at(0), problem: 'z' })
    await message(5, { delivered_at: at(5), problem: 'delivered' })
    await message(3, { given_up_at: at(3), problem: 'last given up' })
    await message(2, { given_up_at: at(2), problem: 'given up' })
    await message(4, { given_up_at: null, delivered_at: at(4), problem: 'earlier' })
    await message(5, { tries: 7, problem: 'waits' })
    await message(9, { ...production, delivered_at: at(9), problem: 'production' })
    await message(9, { ...production, given_up_at: at(9), problem: 'of production' })
    await message(9, { recipient: 'a', delivered_at: at(9), problem: 'a' })
    await using unordered = await openUnordered(testLedger)
    expect(await statuses(unordered)).toEqual([...['a 1 0 0 0 a ', 'ops 2 1 2 7 waits last given up', 'z 1 0 0 0 z ']])
    const everywhere = await openWholeLedger(database, 'any')
    expect((await statuses({ ledger: everywhere })).filter((line) => line.startsWith('ops')).toSorted()).toEqual([
      'ops 1 0 1 0 of production of production',
      'ops 2 1 2 7 waits last given up',
    ])
  })
})
