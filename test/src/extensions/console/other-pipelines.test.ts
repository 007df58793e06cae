// People who are on lists of several pipelines: whoever sees one of them is told nothing of the lists of the others.

import { expect, test } from 'vitest'
import { openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('the lists of another pipeline', () => {
  test('are not named beside a person or a changed row', async () => {
    await using console = await openConsoleWorld({ morePipelines: (first) => ({ autumn: first }) })
    const { ledger, database } = console.world.app
    await publish(ledger, [aRecipient(1)], { name: 'first.csv' })
    await withoutTriggers(database, `UPDATE credsync.issuance SET state = 'issued', credential_id = '1111-1'`)
    await publish(ledger, [aRecipient(1)], { name: 'own.csv' })
    const others = [aRecipient(9), aRecipient(8), aRecipient(1, { 'First Name': 'Bea' })]
    const run = await publish(ledger, others, { name: 'of others.csv', pipeline: 'autumn' })
    const limited = await console.signedIn('registrar')
    const operator = await console.signedIn('operator')
    const shown = async (path: string, cookie: string) => (await console.ask(path, { cookie })).text

    expect(await shown('/people/i1', operator)).toMatch(/own\.csv[\s\S]*of others\.csv<\/a>, row 4/)
    expect(await shown('/people/i1', limited)).toContain('own.csv')
    expect(await shown('/corrections', operator)).toContain('>4 of <a')
    expect(await shown('/corrections', limited)).toContain('on a list of another pipeline')
    expect(await shown('/corrections', limited)).toContain('First Name')
    for (const path of ['/people/i1', '/corrections']) {
      const text = await shown(path, limited)
      expect([text.includes('of others.csv'), text.includes(run), /row 4|>4 of/.test(text)]).toEqual([
        false,
        false,
        false,
      ])
    }
  })
})
