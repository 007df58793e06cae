// Which inbox each verb is about: that of `spring`, beside another one and one of the same name in another environment.
// And which run a file that is taken from an inbox belongs to.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { untilLocksWait } from '#test/support/until-locks-wait.ts'

const now = new Date('2026-03-01T12:00:00Z')
const longAgo = new Date(0)
const scan = { answers: now, files: 0, missed: null, leftLying: null }

/** All three were scanned, and a scan of each was enqueued long ago. */
async function openInboxes(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const production = await openWholeLedger(testLedger.database, 'production')
  for (const [ledger, pipeline] of [
    [production, 'spring'],
    [testLedger.ledger, 'winter'],
    [testLedger.ledger, 'spring'],
  ] as const)
    await ledger.inboxes.status(pipeline, longAgo)
  await testLedger.database.query(
    `UPDATE inbox_look SET asked_at = '2026-01-01', problem = 'It is away.', files = 7, files_at = '2026-01-02', missed = 3, missed_at = '2026-01-03', caught_up_at = '2026-01-04'`,
  )
  return testLedger
}

async function changedBy({ database, ledger }: TestLedger, verb: (ledger: WholeLedger) => Promise<unknown>) {
  const snapshot = async () =>
    new Map(
      (
        await database.query<{ name: string; values: string }>(
          `SELECT environment || ' ' || pipeline AS name, l::text AS values FROM inbox_look l`,
        )
      ).rows.map(({ name, values }) => [name, values]),
    )
  const before = await snapshot()
  await verb(ledger)
  const after = await snapshot()
  return [...after.keys()].filter((name) => before.get(name) !== after.get(name)).sort()
}

const own = ['development spring']

describeWithDatabase('a verb about an inbox', () => {
  test('takes it again when its job seems to be lost', async () => {
    await using testLedger = await openInboxes()
    const { inboxes } = testLedger.ledger
    await testLedger.database.query('UPDATE inbox_look SET asked_at = NULL')
    expect([await inboxes.take('spring'), await inboxes.take('spring')]).toEqual([true, false])
    await testLedger.database.query(`UPDATE inbox_look SET asked_at = '2026-01-01'`)
    expect(await inboxes.take('spring')).toBe(true)
  })

  test.each(['asked_at', 'problem'])('clears %s after a scan', async (column) => {
    await using testLedger = await openInboxes()
    await testLedger.database.query(`UPDATE inbox_look SET ${column === 'problem' ? 'asked_at' : 'problem'} = NULL`)
    expect(await changedBy(testLedger, ({ inboxes }) => inboxes.noteFinished('spring'))).toEqual(own)
    expect(await changedBy(testLedger, ({ inboxes }) => inboxes.noteFinished('spring'))).toEqual([])
  })

  test('keeps what the last scan took and missed, until another one does', async () => {
    await using testLedger = await openInboxes()
    const { inboxes } = testLedger.ledger
    const before = await inboxes.status('spring', now)
    expect(before).toMatchObject({ lastDueAt: longAgo, files: 7 })
    await inboxes.noteScan('spring', { at: now, againAt: null, scan })
    const { files, filesAt, missed, missedAt, caughtUpAt } = before
    const status = await inboxes.status('spring', longAgo)
    expect(status).toMatchObject({ files, filesAt, missed, missedAt, caughtUpAt, lookedAt: now })
    await inboxes.noteScan('spring', {
      ...{ at: now, againAt: null },
      scan: { ...scan, files: 1, missed: { at: longAgo, count: 1 } },
    })
    expect(await inboxes.status('spring', longAgo)).toMatchObject({
      ...{ files: 1, filesAt: now, missed: 1, missedAt: longAgo, caughtUpAt: now },
    })
  })

  test('finds an inbox that another worker is just recording', async () => {
    await using testLedger = await openInboxes()
    const { database, ledger } = testLedger
    let finding: Promise<{ lastDueAt: Date }> | null = null
    await database.transaction(async (sql) => {
      await sql.query(
        `INSERT INTO inbox_look (environment, pipeline, last_due_at) VALUES ('development', 'autumn', $1)`,
        [now],
      )
      finding = ledger.inboxes.status('autumn', longAgo)
      await untilLocksWait(database, 1)
    })
    expect(await finding).toMatchObject({ lastDueAt: now })
  })
})

describeWithDatabase('a file from an inbox', () => {
  const file = {
    pipeline: 'spring',
    sourceName: 'b.csv',
    sourcePath: '/in/b.csv',
    sourceSha256: 'same',
    runIdPrefix: null,
  }
  const same = { source_sha256: 'same', inbox: true }

  test('has the run of its path, if that came from an inbox', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await addRun(database, 'b.csv', { settled_at: now })
    expect((await ledger.inboxes.receive(file)).as).toBe('new')
    await addRun(database, 'c.csv', { inbox: true })
    const again = await ledger.inboxes.receive({ ...file, sourceSha256: 'other', runIdPrefix: '0123abcd' })
    expect(again.as).toBe('known')
    const other = await ledger.inboxes.receive({
      ...file,
      sourcePath: '/in/d',
      sourceSha256: 'd',
      runIdPrefix: '0123abcd',
    })
    expect([other.as, other.runId.slice(0, 8)]).toEqual(['new', '0123abcd'])
    const { runId } = await ledger.inboxes.receive({ ...file, sourcePath: '/in/e', sourceSha256: 'e' })
    expect(runId).toMatch(/^[0-9a-f]{8}-/)
  })

  test('waits for the unfinished run with its content, or refers to the last one', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await using unordered = await openUnordered(testLedger)
    const { inboxes } = unordered.ledger
    await addRun(database, 'older.csv', { ...same, settled_at: now, received_at: hoursAgo(9) })
    const another = await addRun(database, 'newer.csv', { ...same, settled_at: now, received_at: hoursAgo(1) })
    await addRun(database, 'middle.csv', { ...same, settled_at: now, received_at: hoursAgo(5) })
    const first = await inboxes.receive({ ...file, sourcePath: '/in/first' })
    expect(first).toMatchObject({ as: 'new', sentence: expect.stringContaining('as newer.csv') })
    // Only one run with this content is unfinished, and it was received long ago.
    await database.query('UPDATE run SET received_at = $2 WHERE id = $1', [first.runId, hoursAgo(10)])
    await database.query(
      `INSERT INTO list_copy (environment, pipeline, run_id, path) VALUES ('development', 'spring', $1, '/in/b.csv'), ('development', 'spring', $1, '/in/other')`,
      [another],
    )
    const copies = async () =>
      (await database.query<{ path: string; run: string }>('SELECT path, run_id AS run FROM list_copy ORDER BY path'))
        .rows
    expect(await inboxes.receive(file)).toMatchObject({ as: 'waits', runId: first.runId })
    expect(await inboxes.receive(file)).toMatchObject({ as: 'waits', runId: first.runId })
    expect(await copies()).toEqual([
      { path: '/in/b.csv', run: first.runId },
      { path: '/in/other', run: another },
    ])
    await database.query('UPDATE run SET settled_at = now() WHERE id = $1', [first.runId])
    expect((await ledger.inboxes.receive(file)).as).toBe('new')
    expect((await copies()).map(({ path }) => path)).toEqual(['/in/other'])
  })

  test('is received once with its content, although several come at the same time', async () => {
    await using testLedger = await openTestLedger()
    const received = await Promise.all(
      Array.from({ length: 6 }, (_, at) => testLedger.ledger.inboxes.receive({ ...file, sourcePath: `/in/${at}` })),
    )
    expect(received.map(({ as }) => as).sort()).toEqual(['new', ...Array(5).fill('waits')])
  })
})
