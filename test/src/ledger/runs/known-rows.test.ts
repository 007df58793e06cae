// What the ledger reports about rows that are compared without being published, as in a dry run.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aStagedRow, type Recipient, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

function rowsOf({ ledger }: TestLedger, people: readonly Recipient[]) {
  return people.map((person, index) => {
    const { issuanceKey } = aStagedRow(index + 2, person, ledger.hasher)
    return { issuanceKey: issuanceKey as Buffer, recipient: person }
  })
}

describeWithDatabase('a row that is only compared', () => {
  test('is unknown, known or changed; results are in the order of the rows, with duplicates', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const other = aRecipient(2, { 'First Name': 'Eve' })
    const rows = rowsOf(ledger, [aRecipient(3), aRecipient(1), other, aRecipient(1)])
    expect(await ledger.ledger.knownRows.compare(aCourse, rows)).toEqual(['unknown', 'known', 'changed', 'known'])
    expect(await ledger.ledger.knownRows.compare(aCourse, [])).toEqual([])
  })
})

describeWithDatabase('a row that is only compared, with another image,', () => {
  test.each<[what: string, result: string, change: string]>([
    ['is changed', 'changed', 'SELECT 1'],
    ['is known if the data of the credential were deleted', 'known', 'UPDATE issuance SET recipient = NULL'],
    ['is known if the credential had none', 'known', 'UPDATE issuance SET image_sha256 = NULL'],
    ['is known if the row has failed, and gets it', 'known', `UPDATE issuance SET state = 'failed'`],
    [
      'is changed if the row has failed with a credential',
      'changed',
      `UPDATE issuance SET state = 'failed', credential_id = 'C'`,
    ],
    [
      'is changed if it has failed with other data',
      'changed',
      `UPDATE issuance SET state = 'failed', recipient = recipient || '{"Grade": "A"}'`,
    ],
  ])('%s', async (_, result, change) => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await withoutTriggers(ledger.database, `UPDATE issuance SET image_sha256 = decode(repeat('01', 32), 'hex')`)
    await withoutTriggers(ledger.database, change)
    const rows = rowsOf(ledger, [aRecipient(1)]).map((row) => ({ ...row, imageSha256: Buffer.alloc(32, 2) }))
    expect(await ledger.ledger.knownRows.compare(aCourse, rows)).toEqual([result])
  })
})
