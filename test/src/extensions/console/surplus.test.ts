// A person of whom the report shows more credentials than were requested is named on the page of the run.

import { expect, test } from 'vitest'
import { openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('a credential that nobody requested', () => {
  test('is found from the page of its run, and the page of the person says what to do', async () => {
    await using console = await openConsoleWorld()
    const { ledger, database } = console.world.app
    const run = await publish(ledger, recipients(4))
    const other = await publish(ledger, recipients(1, 20))
    const cookie = await console.signedIn('operator')
    const read = async (path: string) => (await console.ask(path, { cookie })).text
    expect(await read(`/runs/${run}`)).not.toContain('more credentials')
    // With the counts that the ledger keeps of a run.
    await database.query('UPDATE issuance SET surplus_items = 1 WHERE id IN (2, 3, 5)')
    await withoutTriggers(
      database,
      `INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT 'development', 'item ' || id, id FROM issuance WHERE id IN (2, 3, 5)`,
    )
    for (const path of [`/runs/${run}`, `/runs/${run}/progress`]) {
      const text = await read(path)
      expect(text).toMatch(/more credentials for these people than were requested/)
      expect([...text.matchAll(/href="\/people\/(i\d)"/g)].map(([, id]) => id)).toEqual(['i2', 'i3'])
    }
    expect(await read(`/runs/${other}`)).toContain('href="/people/i5"')
    expect(await read('/people/i2')).toContain('credsync revoke')
  })
})
