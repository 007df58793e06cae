// Which archives have certificates to fetch.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('an archive that was removed from the configuration', () => {
  test('has nothing fetched until it is configured again', async () => {
    await using testLedger = await openTestLedger()
    const { archives } = testLedger.ledger
    await testLedger.publish(recipients(1))
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await testLedger.scan([aReportItem(aRecipient(1))])
    expect(await testLedger.states()).toEqual(['issued'])
    const spring = { pipeline: 'spring', folder: '/certificates' }

    await archives.watch([spring])
    await archives.watch([])
    expect(await archives.take()).toEqual([])
    await archives.watch([spring])
    expect(await archives.take()).toEqual(['spring'])
  })
})
