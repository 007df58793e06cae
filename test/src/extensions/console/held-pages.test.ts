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
    await publish(ledger, recipients(55))
    // Since moments of which several are within one millisecond.
    await withoutTriggers(
      database,
      `UPDATE issuance SET state = 'held', state_since = '2026-03-01T10:00:00Z'::timestamptz + (55 - id) / 2 * interval '1 microsecond'`,
    )
    const cookie = await console.signedIn('operator')
    const read = async (path: string) => {
      const { status, text } = await console.ask(path, { cookie })
      const link = (name: string) =>
        new RegExp(`<a href="([^"]+)"[^>]*>${name}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      return { status, text, link, ids: [...text.matchAll(/"\/held\/i(\d+)"/g)].map(([, id]) => Number(id)) }
    }
    const { rows } = await database.query<{ id: number }>('SELECT id FROM issuance ORDER BY state_since, id')
    const ids = rows.map(({ id }) => id)
    const first = await read('/held')
    expect(first.ids).toEqual(ids.slice(0, 50))
    expect(first.link('First page')).toBe('')
    await withoutTriggers(database, `UPDATE issuance SET state = 'requested', state_since = now() WHERE id = $1`, [
      ids[49],
    ])
    const second = await read(first.link('Next page'))
    expect(second.ids).toEqual(ids.slice(50))
    expect([second.link('First page'), second.link('Next page')]).toEqual(['/held', ''])
    await withoutTriggers(database, `UPDATE issuance SET state = 'requested' WHERE id = ANY($1)`, [ids.slice(50)])
    expect((await read(first.link('Next page'))).text).toContain('No more rows are held.')
    // An address that somebody changed begins anew.
    expect((await read('/held?after=50')).ids).toEqual(ids.slice(0, 49))
  })
})
