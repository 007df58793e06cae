// What can be decided about changed rows and revocations is offered, and nothing else.

import { expect, test } from 'vitest'
import { openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('the console', () => {
  test('shows all changed rows, page by page', async () => {
    await using console = await openConsoleWorld()
    const { ledger, database } = console.world.app
    const people = 203
    await publish(ledger, recipients(people))
    await withoutTriggers(database, `UPDATE issuance SET state = 'issued', credential_id = 'C-' || id`)
    await publish(
      ledger,
      recipients(people).map((_, at) => aRecipient(at + 1, { 'First Name': 'Bea' })),
    )
    const cookie = await console.signedIn('operator')
    const read = async (path: string) => {
      const { text } = await console.ask(path, { cookie })
      return {
        text,
        ids: [...text.matchAll(/href="\/people\/i(\d+)"/g)].map(([, id]) => Number(id)),
        next: /<a href="([^"]+)" rel="next">Next page</.exec(text)?.[1]?.replaceAll('&amp;', '&'),
      }
    }
    const first = await read('/corrections')
    const second = await read(first.next ?? '')
    expect([first.ids.length, second.ids.length, second.next]).toEqual([200, 3, undefined])
    expect(new Set([...first.ids, ...second.ids]).size).toBe(people)
    expect(second.text).toContain('<a href="/corrections">First page</a>')
    await withoutTriggers(database, `UPDATE issuance SET state = 'revoked' WHERE id = ANY($1)`, [second.ids])
    expect((await read(first.next ?? '')).text).toContain('No more changed rows wait for a correction.')
  })

  test('offers to revoke again what had no effect, and says what to do about one that is in doubt', async () => {
    await using console = await openConsoleWorld()
    await publish(console.world.app.ledger, recipients(1))
    await withoutTriggers(
      console.world.app.database,
      `INSERT INTO revocation (environment, credential_id, by, why, state, doubt) VALUES
       ('development', 'C-1', 'ada', '', 'accepted', 'the report still shows it'), ('development', 'C-2', 'ada', '', 'not_applied', NULL)`,
    )
    const { text } = await console.ask('/held', { cookie: await console.signedIn('operator') })
    expect(text).toContain('<code>credsync revoke C-2</code>')
    expect(text).not.toContain('credsync revoke C-1')
    expect(text.match(/If the portal shows it as valid, revoke it there/g)).toHaveLength(1)
  })
})
