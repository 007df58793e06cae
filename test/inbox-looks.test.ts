// When an inbox is looked at: while files are being written, after a missed night, and while the folder is away.

import { appendFile, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askForLooks } from '#jobs/watch-inboxes.ts'
import { checkInboxes } from '#src/check/check-inboxes.ts'
import { inboxLines } from '#src/cli/inbox-lines.ts'
import { describeWithDatabase } from './support/database.ts'
import { nightly, openDesk } from './support/inbox-desk.ts'
import { peopleCsv } from './support/world.ts'

describeWithDatabase('an inbox', () => {
  test('leaves a file alone that is being written, and comes back for it when it could have settled', async () => {
    const desk = await openDesk(nightly)
    await desk.look()
    await desk.clock.advance(5 * 3_600_000)
    await writeFile(join(desk.inbox, 'list.csv'), 'e_mail')
    const soon = new Date(desk.clock.now().getTime() + 3_600_000)
    await utimes(join(desk.inbox, 'list.csv'), soon, soon)
    await desk.look()
    expect(await desk.app.ledger.listRuns()).toEqual([])
    expect((await desk.memory())?.againAt?.toISOString()).toBe('2026-11-21T01:00:10.000Z')
    await appendFile(join(desk.inbox, 'list.csv'), ',First Name\n')
    await utimes(join(desk.inbox, 'list.csv'), soon, soon)
    for (const expected of [0, 1]) {
      await desk.clock.advance(10_000)
      await desk.look()
      expect(await desk.app.ledger.listRuns()).toHaveLength(expected)
    }
    // The next file of the day waits for the night.
    await desk.clock.advance(10_000)
    await desk.drop('noon.csv', peopleCsv(1, 50))
    await desk.look()
    expect(await desk.app.ledger.listRuns()).toHaveLength(1)
  })

  test('notices a night that nobody looked, and makes it good once', async () => {
    const desk = await openDesk(nightly)
    await desk.look()
    await desk.drop('list.csv')
    // Three nights, and the morning after.
    await desk.clock.advance(58.5 * 3_600_000)
    await askForLooks(desk.tools)
    expect(desk.asked).toEqual(['collect'])
    await desk.look()
    await desk.look()
    expect(desk.logged.filter(([name]) => name === 'inbox.missed')).toEqual([
      ['inbox.missed', { pipeline: 'spring', due: '2026-11-21T01:00:00.000Z', count: 3 }],
    ])
    expect(await desk.app.ledger.listRuns()).toHaveLength(1)
    const looks = await desk.app.ledger.inboxes.looks()
    expect(inboxLines(looks, desk.clock.now())).toEqual([
      'inbox spring: looked at 2026-11-23 06:30; 1 file taken at 2026-11-23 06:30; missed 2026-11-21 01:00 and 2 more, caught up at 2026-11-23 06:30 UTC',
    ])
    expect(await askForLooks(desk.tools)).toBe(0)
  })

  test('is asked for by the ledger alone, once until somebody has looked', async () => {
    const desk = await openDesk()
    expect(await askForLooks(desk.tools)).toBe(1)
    expect(await askForLooks(desk.tools)).toBe(0)
    // The job is lost: after a while it is asked for again.
    await desk.app.database.query(`UPDATE inbox_look SET asked_at = asked_at - interval '1 minute'`)
    expect(await askForLooks(desk.tools)).toBe(1)
    await desk.look()
    expect(await askForLooks(desk.tools)).toBe(0)
    await desk.clock.advance(60_000)
    expect(await askForLooks(desk.tools)).toBe(1)
    // A settled run's file is asked for, too, whatever the hour.
    const run = await desk.taken('list.csv')
    expect(await askForLooks(desk.tools)).toBe(0)
    await desk.settle(run)
    expect(await askForLooks(desk.tools)).toBe(1)
  })

  test('says on a page and in status what is left lying, for as long as it is', async () => {
    const desk = await openDesk()
    await desk.drop('list.xls')
    await desk.look()
    const page = join(desk.inbox, 'outbox/NOT-TAKEN.txt')
    expect(await readFile(page, 'utf8')).toContain('  list.xls: a .xls file is not taken; save it as .xlsx or CSV\n')
    const lines = inboxLines(await desk.app.ledger.inboxes.looks(), desk.clock.now())
    expect(lines[1]).toBe('  not taken: list.xls: a .xls file is not taken; save it as .xlsx or CSV')
    const before = await stat(page)
    await desk.clock.advance(60_000)
    await desk.look()
    expect((await stat(page)).ino).toBe(before.ino)
    await rename(join(desk.inbox, 'list.xls'), join(desk.inbox, 'list.csv'))
    await desk.clock.advance(60_000)
    await desk.look()
    expect(await desk.in('outbox')).toEqual([])
    expect(inboxLines(await desk.app.ledger.inboxes.looks(), desk.clock.now())).toHaveLength(1)
  })

  test('that is away is said once, and looked at when it is back', async () => {
    const desk = await openDesk(nightly)
    await desk.look()
    await desk.clock.advance(6 * 3_600_000)
    await rename(desk.inbox, `${desk.inbox}-away`)
    for (let time = 0; time < 3; time++) await desk.look()
    expect(desk.logged).toEqual([['inbox.unusable', { pipeline: 'spring', code: 'ENOENT' }]])
    expect((await desk.memory())?.problem).toContain('it is not there')
    expect((await checkInboxes(desk.tools))[0]).toMatchObject({ ok: false, name: 'inbox', pipeline: 'spring' })
    await rename(`${desk.inbox}-away`, desk.inbox)
    await desk.drop('list.csv')
    await desk.look()
    expect(await desk.memory()).toMatchObject({ problem: null, missed: 1 })
    expect(await desk.app.ledger.listRuns()).toHaveLength(1)
    expect((await checkInboxes(desk.tools))[0]?.what).toContain('next at 2026-11-22 01:00 UTC')
  })
})
