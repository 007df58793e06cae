// The pages of held rows: the oldest first, each found by where the page before ended, whatever was decided meanwhile.

import { expect, test } from 'vitest'
import { openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('the pages of held rows', () => {
  test('show the later rows although the last row of the page before was decided, and lead back to the oldest', async () => {
    await using console = await openConsoleWorld()
    const { ledger, database } = console.world.app
    await publish(ledger, recipients(25))
    // Since moments of which several are within one millisecond.
    await withoutTriggers(
      database,
      `UPDATE issuance SET state = 'held', state_since = '2026-03-01T10:00:00Z'::timestamptz + (25 - id) / 2 * interval '1 microsecond'`,
    )
    const cookie = await console.signedIn('operator')
    const read = async (path: string) => {
      const { status, text } = await console.ask(path, { cookie })
      const link = (name: string) =>
        new RegExp(`<a href="([^"]+)"[^>]*>${name}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      return { status, text, link, ids: [...text.matchAll(/<h2 id="i(\d+)"/g)].map(([, id]) => Number(id)) }
    }
    const { rows } = await database.query<{ id: number }>('SELECT id FROM issuance ORDER BY state_since, id')
    const ids = rows.map(({ id }) => id)
    const first = await read('/held')
    expect(first.ids).toEqual(ids.slice(0, 20))
    expect([first.link('Oldest'), first.link('Older')]).toEqual(['', ''])
    await withoutTriggers(database, `UPDATE issuance SET state = 'requested', state_since = now() WHERE id = $1`, [
      ids[19],
    ])
    const second = await read(first.link('Newer'))
    expect(second.ids).toEqual(ids.slice(20))
    expect([second.link('Oldest'), second.link('Newer')]).toEqual(['/held', ''])
    await withoutTriggers(database, `UPDATE issuance SET state = 'requested' WHERE id = ANY($1)`, [ids.slice(20)])
    expect((await read(first.link('Newer'))).text).toContain('No row is held after those of the page before.')
    // An address that somebody changed.
    for (const after of ['9999-99-99T99:99:99.000000Z 1', '2026-02-30T00:00:00.000000Z 1', '20', "' OR 1"])
      expect((await read(`/held?after=${encodeURIComponent(after)}`)).ids).toEqual(ids.slice(0, 19))
    for (const path of [
      '/log?before=9999-99-99T99:99:99.000000Z',
      `/runs?before=${'9'.repeat(27)}+${'0'.repeat(8)}-0000-0000-0000-000000000000`,
    ])
      expect((await read(path)).status).toBe(200)
  })
})
