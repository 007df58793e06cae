// When the check of issued credentials is due.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { hour, openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('the check of issued credentials', () => {
  test('stays due if it was missed and the worker is restarted', async () => {
    await using testLedger = await openTestLedger()
    const { watching } = testLedger.ledger
    const later = new Date(Date.now() + hour)
    await watching.begin(later)
    expect(await watching.take()).toBe(false)
    await watching.begin(new Date(0))
    await watching.begin(later)
    expect(await watching.take()).toBe(true)
  })
})
