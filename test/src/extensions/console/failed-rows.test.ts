// Rows that failed or were rejected stay among what needs attention, whatever lists come later, and so do corrections whose
// credential was revoked.

import { expect, test } from 'vitest'
import { openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('what needs attention includes', () => {
  test('failed and rejected rows of earlier lists, and first of all a correction without a credential', async () => {
    await using console = await openConsoleWorld({ morePipelines: (first) => ({ autumn: first }) })
    const { ledger, database } = console.world.app
    const cookies = { operator: await console.signedIn('operator'), registrar: await console.signedIn('registrar') }
    const overview = async (role: keyof typeof cookies = 'operator') => {
      const { text } = await console.ask('/', { cookie: cookies[role] })
      return text
        .slice(text.indexOf('Needs attention'), text.indexOf('The last list'))
        .replace(/<[^>]+>|\s+/g, ' ')
        .replace(/ +/g, ' ')
    }
    const set = (state: string, where: string, more = '') =>
      withoutTriggers(database, `UPDATE issuance SET state = '${state}' ${more} WHERE ${where}`)
    await publish(ledger, recipients(6), { name: 'monday.csv' })
    await publish(ledger, recipients(2, 20), { name: 'other.csv', pipeline: 'autumn' })
    await publish(ledger, recipients(1, 30), { name: 'tuesday.csv' })
    await publish(ledger, recipients(1, 40), { name: 'later.csv', pipeline: 'autumn' })
    await set('requested', 'true')
    expect(await overview()).not.toContain('.csv need')
    await set('failed', 'id IN (1, 2)')
    await set('rejected', 'id = 3')
    await set('failed', 'id = 7')
    expect(await overview()).toMatch(
      /3 rows of monday\.csv need attention 1 rejected, 2 failed \(spring, an earlier list\)\./,
    )
    expect(await overview()).toMatch(/1 row of other\.csv needs attention 1 failed \(autumn, an earlier list\)\./)
    expect(await overview('registrar')).not.toContain('other.csv')

    // It replaces the credential of the sixth person.
    await set('failed', 'id = 5', ', corrects = 6')
    expect(await overview()).toMatch(
      /^Needs attention No worker[^.]*\. The correction of i6 is failed The credential was revoked.*\(spring\)/,
    )
    expect(await overview()).toContain('3 rows of monday.csv')
    await set('requested', 'id = 5')
    // Corrected since, and forgotten.
    await set('requested', 'id = 4', ', corrects = 1')
    await set('failed', 'id = 2', ', recipient = NULL')
    expect(await overview()).toMatch(/1 row of monday\.csv needs attention 1 rejected \(/)
    await set('requested', 'id IN (3, 7)')
    expect(await overview()).not.toContain('.csv need')
  })

  test('that there are more than it names', async () => {
    await using console = await openConsoleWorld()
    const { ledger, database } = console.world.app
    for (let list = 0; list < 13; list++) await publish(ledger, recipients(1, 1 + list), { name: `list ${list}.csv` })
    await withoutTriggers(database, `UPDATE issuance SET state = 'failed'`)
    const { text } = await console.ask('/', { cookie: await console.signedIn('operator') })
    expect(text).toContain('Rows of other lists may need attention, too')
    expect(text).not.toMatch(/list [01]\.csv/)
  })
})
