// Which deliveries are due.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const target = { name: 'hooks', learnersOf: null }

describeWithDatabase('a delivery', () => {
  test('is neither due nor counted as waiting once its credential has moved to another state', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await testLedger.publish(recipients(2))
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await testLedger.scan([1, 2].map((n) => aReportItem(aRecipient(n))))
    await database.query(`INSERT INTO tell (issuance_id, target, wanted) SELECT id, $1, 'issued' FROM issuance`, [
      target.name,
    ])
    const due = async () =>
      (await ledger.deliveries.due({ pipeline: 'spring', ...target }, 9)).map(({ issuanceId }) => issuanceId)
    const waiting = () => ledger.deliveries.waiting([{ pipeline: 'spring', showsOne: false, ...target }])
    expect(await due()).toEqual([1, 2])
    expect(await waiting()).toEqual(['spring'])

    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 1`)
    expect(await due()).toEqual([2])
    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 2`)
    expect(await due()).toEqual([])
    expect(await waiting()).toEqual([])
  })
})
