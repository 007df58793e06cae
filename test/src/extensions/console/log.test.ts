// What the log says of each act: whom it was about, and whether data were changed.

import { expect, test } from 'vitest'
import { openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('the log', () => {
  test('names each person who was looked at, each row that was decided about, and that a failed row was corrected', async () => {
    await using console = await openConsoleWorld()
    const { ledger, database } = console.world.app
    const cookie = await console.signedIn('operator')
    await publish(ledger, recipients(6))
    await withoutTriggers(database, `UPDATE issuance SET state = 'failed', reason = 'No.' WHERE id > 2`)
    // Two tabs that are opened at once, and one of them again.
    const at = console.now()
    for (const issuance of [1, 2, 2])
      await ledger.consoleActs.note({ by: 'ada', act: 'looked at a person', issuance }, at)
    await ledger.decisions.retry({ ids: [3, 4, 5] }, { by: 'ada', why: 'asked the service' })
    await withoutTriggers(
      database,
      `INSERT INTO history (issuance_id, from_state, to_state, event, evidence)
       VALUES (6, 'failed', 'pending', 'a person decided: send again', '{"by": "ada", "why": "a typing error", "fields": "First Name, Last Name"}')`,
    )
    const { text } = await console.ask('/log', { cookie })
    const lines = [...text.matchAll(/<tr role="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
      row.replace(/<[^>]+>|\s+/g, ' ').replace(/ +/g, ' '),
    )
    const about = (act: string) =>
      lines.filter((line) => line.includes(act)).map((line) => line.match(/i\d/g)?.join(' '))
    expect(about('Looked at a person.').sort()).toEqual(['i1', 'i2', 'i2'])
    expect(about('A person decided: send again.').sort()).toEqual(['i3', 'i4', 'i5'])
    expect(about('Corrected a failed row: First Name, Last Name.')).toEqual(['i6'])
    expect(text).toContain('<a href="/people/i5">i5</a>')
  })
})
