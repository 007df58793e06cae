// The row of a list with whose data a credential is to be corrected, beside rows of other lists and about other people.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

describeWithDatabase('a row that names a credential', () => {
  test('is found by its list, its number and the credential', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const first = await testLedger.publish(recipients(2), { name: 'first.csv' })
    const later = await testLedger.publish(recipients(3), { name: 'later.csv' })
    const named = async (run: string, row: number, issuance: number) =>
      (await ledger.revocations.namingRow(run, row, issuance))?.source ?? null
    expect(await named(later, 2, 1)).toBe('later.csv')
    expect(await named(first, 2, 1)).toBe('first.csv')
    expect([await named(later, 2, 2), await named(later, 3, 1), await named(first, 4, 3)]).toEqual([null, null, null])
    const production = await openWholeLedger(database, 'production')
    expect(await production.revocations.namingRow(later, 2, 1)).toBeNull()
  })

  test('has an image if it differs from that of the credential, and says whether it is stored', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await testLedger.publish(recipients(2))
    const later = await testLedger.publish([aRecipient(1)])
    await withoutTriggers(database, `UPDATE issuance SET image_sha256 = decode(repeat('0' || id, 32), 'hex')`)
    const imageOf = async () => {
      const found = await ledger.revocations.namingRow(later, 2, 1)
      return [found?.image?.toString('hex').slice(0, 2) ?? null, found?.imageKept]
    }
    const setImage = (digits: string) =>
      withoutTriggers(
        database,
        `UPDATE run_row SET image_sha256 = decode(repeat('${digits}', 32), 'hex') WHERE run_id = $1`,
        [later],
      )
    await database.query(`INSERT INTO image (sha256, bytes, type) VALUES (decode(repeat('07', 32), 'hex'), '', 'png')`)
    await setImage('01')
    expect(await imageOf()).toEqual([null, false])
    await setImage('02')
    expect(await imageOf()).toEqual(['02', false])
    await setImage('07')
    expect(await imageOf()).toEqual(['07', true])
  })
})
