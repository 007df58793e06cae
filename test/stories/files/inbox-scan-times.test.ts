// Tests when an inbox is scanned: while files are being written, after a missed daily scan, and while the folder is
// unavailable.

import { appendFile, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enqueueInboxScans } from '#jobs/inbox/enqueue-scans.ts'
import { checkInboxes } from '#src/check/check-data-dir.ts'
import { inboxLines } from '#src/issuing/descriptions/inbox-lines.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { nightly, openInboxBench } from '#test/support/inbox-bench.ts'
import { peopleCsv } from '#test/support/world.ts'

describeWithDatabase('an inbox', () => {
  test('leaves a file that is being written, and is scanned again when the file could have settled', async () => {
    const bench = await openInboxBench(nightly)
    await bench.scan()
    await bench.clock.advance(5 * 3_600_000)
    await writeFile(join(bench.inbox, 'list.csv'), 'e_mail')
    const future = new Date(bench.clock.now().getTime() + 3_600_000)
    await utimes(join(bench.inbox, 'list.csv'), future, future)
    await bench.scan()
    expect(await bench.app.ledger.runs.list()).toEqual([])
    expect((await bench.inboxStatus())?.againAt?.toISOString()).toBe('2026-11-21T01:00:10.000Z')
    await appendFile(join(bench.inbox, 'list.csv'), ',First Name\n')
    await utimes(join(bench.inbox, 'list.csv'), future, future)
    for (const expected of [0, 1]) {
      await bench.clock.advance(10_000)
      await bench.scan()
      expect(await bench.app.ledger.runs.list()).toHaveLength(expected)
    }
    // The next file of the day waits for the daily scan.
    await bench.clock.advance(10_000)
    await bench.drop('noon.csv', peopleCsv(1, 50))
    await bench.scan()
    expect(await bench.app.ledger.runs.list()).toHaveLength(1)
  })

  test('is scanned once after missed daily scans, which are reported', async () => {
    const bench = await openInboxBench(nightly)
    await bench.scan()
    await bench.drop('list.csv')
    // It is the morning after three missed daily scans.
    await bench.clock.advance(58.5 * 3_600_000)
    await enqueueInboxScans(bench.tools)
    expect(bench.enqueued).toEqual(['collect'])
    await bench.scan()
    await bench.scan()
    expect(bench.logged.filter(([name]) => name === 'inbox.missed')).toEqual([
      ['inbox.missed', { pipeline: 'spring', due: '2026-11-21T01:00:00.000Z', count: 3 }],
    ])
    expect(await bench.app.ledger.runs.list()).toHaveLength(1)
    const statuses = await bench.app.ledger.inboxes.statuses()
    expect(inboxLines(statuses, bench.clock.now())).toEqual([
      'inbox spring: scanned at 2026-11-23 06:30; 1 file taken at 2026-11-23 06:30; missed 2026-11-21 01:00 and 2 more, caught up at 2026-11-23 06:30 UTC',
    ])
    expect(await enqueueInboxScans(bench.tools)).toBe(0)
  })

  test('is scanned only when the ledger requests it, and no second scan is requested before the first', async () => {
    const bench = await openInboxBench()
    expect(await enqueueInboxScans(bench.tools)).toBe(1)
    expect(await enqueueInboxScans(bench.tools)).toBe(0)
    // If the job is lost, the scan is requested again after a while.
    await bench.app.database.query(`UPDATE inbox_look SET asked_at = asked_at - interval '1 minute'`)
    expect(await enqueueInboxScans(bench.tools)).toBe(1)
    await bench.scan()
    expect(await enqueueInboxScans(bench.tools)).toBe(0)
    await bench.clock.advance(60_000)
    expect(await enqueueInboxScans(bench.tools)).toBe(1)
    // A scan is also requested for the file of a settled run, at any time of day.
    const run = await bench.dropAndScan('list.csv')
    expect(await enqueueInboxScans(bench.tools)).toBe(0)
    await bench.settle(run)
    expect(await enqueueInboxScans(bench.tools)).toBe(1)
  })

  test('shows the files that it does not take, on a page and in `status`, for as long as they are in the folder', async () => {
    const bench = await openInboxBench()
    await bench.drop('list.xls')
    await bench.scan()
    const page = join(bench.inbox, 'outbox/NOT-TAKEN.txt')
    expect(await readFile(page, 'utf8')).toContain('  list.xls: a .xls file is not taken; save it as .xlsx or CSV\n')
    const lines = inboxLines(await bench.app.ledger.inboxes.statuses(), bench.clock.now())
    expect(lines[1]).toBe('  not taken: list.xls: a .xls file is not taken; save it as .xlsx or CSV')
    expect(bench.logged).toEqual([['inbox.strange', { pipeline: 'spring', reason: 'another name' }]])
    const before = await stat(page)
    await bench.clock.advance(60_000)
    await bench.scan()
    expect((await stat(page)).ino).toBe(before.ino)
    await rename(join(bench.inbox, 'list.xls'), join(bench.inbox, 'list.csv'))
    await bench.clock.advance(60_000)
    await bench.scan()
    expect(await bench.filesIn('outbox')).toEqual([])
    expect(inboxLines(await bench.app.ledger.inboxes.statuses(), bench.clock.now())).toHaveLength(1)
  })

  test('is reported once if it is unavailable, and scanned when it is back', async () => {
    const bench = await openInboxBench(nightly)
    await bench.scan()
    await bench.clock.advance(6 * 3_600_000)
    await rename(bench.inbox, `${bench.inbox}-away`)
    for (let time = 0; time < 3; time++) await bench.scan()
    expect(bench.logged).toEqual([['inbox.unusable', { pipeline: 'spring', code: 'ENOENT' }]])
    expect((await bench.inboxStatus())?.problem).toContain('it does not exist')
    expect((await checkInboxes(bench.tools))[0]).toMatchObject({ ok: false, name: 'inbox', pipeline: 'spring' })
    await rename(`${bench.inbox}-away`, bench.inbox)
    await bench.drop('list.csv')
    await bench.scan()
    expect(await bench.inboxStatus()).toMatchObject({ problem: null, missed: 1 })
    expect(await bench.app.ledger.runs.list()).toHaveLength(1)
    expect((await checkInboxes(bench.tools))[0]?.what).toContain('next at 2026-11-22 01:00 UTC')
  })
})
