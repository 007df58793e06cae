// Which notices, changes and messages are deleted: those of recipients who are not configured, and those that are old.

import { expect, test } from 'vitest'
import type { Database } from '#src/platform/database/database.ts'
import { addChange, addMessage, addNotice } from '#test/support/add-notice.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const old = new Date('2026-01-01T00:00:00Z')
const before = new Date('2026-02-01T00:00:00Z')
const delivered = { delivered_at: old }

/** A line for each message, and for each change that has none: the recipient, and what it says. */
async function linesIn({ database }: TestLedger): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(
    `SELECT recipient || ' message' || CASE WHEN failing_since IS NULL THEN '' ELSE ' failing' END AS line FROM notice_message
     UNION ALL SELECT recipient || ' change' FROM notice_change ORDER BY 1`,
  )
  return rows.map(({ line }) => line)
}

/** For each recipient: a message that waits, with a change, and a change without a message. */
async function addAll(database: Database, recipient: string, at: Date, environment = 'development'): Promise<void> {
  const notice = await addNotice(database, `${recipient} ${environment}`, { environment })
  const message_id = await addMessage(database, { recipient, environment, created_at: at })
  await addChange(database, notice, { recipient, message_id, at })
  await addChange(database, notice, { recipient, at })
}

describeWithDatabase('what waits for recipients who are no longer configured', () => {
  test('is forgotten if it is old, and so are their failures', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await addAll(database, 'ops', old)
    await addAll(database, 'gone', old)
    await addAll(database, 'new', before)
    await addAll(database, 'production', old, 'production')
    // It was delivered in part, and is kept.
    const read = await addMessage(database, { recipient: 'read', ...delivered, failing_since: old })
    await addChange(database, await addNotice(database, 'read'), { recipient: 'read', message_id: read })
    for (const more of [{ recipient: 'ops' }, { recipient: 'x', environment: 'production' }])
      await addMessage(database, { ...more, ...delivered, failing_since: old })
    await addMessage(database, { recipient: 'waiting', failing_since: old, created_at: before })
    await addMessage(database, { recipient: 'fine', ...delivered })
    // Those of another environment are not locked.
    const found = await database.transaction(async (sql) => {
      await sql.query(`SELECT FROM notice_message WHERE environment = 'production' FOR UPDATE`)
      return ledger.notices.forgetOtherRecipients(['ops'], before)
    })
    expect(found.toSorted()).toEqual(['gone', 'read'])
    expect(await linesIn(testLedger)).toEqual([
      ...['fine message'],
      ...['new change', 'new change', 'new message'],
      ...['ops change', 'ops change', 'ops message', 'ops message failing'],
      ...['production change', 'production change', 'production message'],
      ...['read change', 'read message', 'waiting message failing', 'x message failing'],
    ])
  })
})

describeWithDatabase('notices that ended', () => {
  test('are deleted if they are old, and read or given up by all', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const over = { recovered_at: old }
    const read = await addMessage(database, { recipient: 'read', ...delivered })
    const givenUp = await addMessage(database, { recipient: 'given up', given_up_at: old })
    const waiting = await addMessage(database, { recipient: 'waiting' })
    const withChange = async (key: string, message_id: string | null, more = over as object) =>
      addChange(database, await addNotice(database, key, more as Record<string, unknown>), { message_id })
    await withChange('read', read)
    await withChange('given up', givenUp)
    await withChange('waits', waiting)
    await withChange('not in a message', null)
    await withChange('new', read, { recovered_at: before })
    await withChange('open', read, {})
    await withChange('production', read, { ...over, environment: 'production' })
    await addNotice(database, 'nobody', over)
    // Messages to which no notice refers any more.
    await addMessage(database, { recipient: 'old', ...delivered })
    await addMessage(database, { recipient: 'new', ...delivered, created_at: before })
    await addMessage(database, { recipient: 'production', ...delivered, environment: 'production' })
    await addMessage(database, { recipient: 'old and waiting' })
    await ledger.notices.prune(before)
    const { rows } = await database.query<{ key: string }>('SELECT key FROM notice ORDER BY 1')
    expect(rows.map(({ key }) => key)).toEqual(['new', 'not in a message', 'open', 'production', 'waits'])
    expect((await linesIn(testLedger)).filter((line) => line.includes('message'))).toEqual([
      ...['new', 'old and waiting', 'production', 'read', 'waiting'].map((name) => `${name} message`),
    ])
  })
})
