// What the ledger says about rows before they are published: the same as it says when they are.

import { expect, test } from 'vitest'
import { openLedger } from '#src/ledger/ledger.ts'
import { aCourse, aRecipient, aStagedRow, otherCourse, type Recipient, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

function rowsOf({ ledger }: TestLedger, people: readonly Recipient[]) {
  return people.map((person, index) => {
    const { issuanceKey } = aStagedRow(index + 2, person, ledger.hasher)
    return { issuanceKey: issuanceKey as Buffer, recipient: person }
  })
}

describeWithDatabase('a row that is only compared', () => {
  test('is unknown, known or changed, in the order given, and as often as it comes', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const other = aRecipient(2, { 'First Name': 'Eve' })
    const rows = rowsOf(ledger, [aRecipient(3), aRecipient(1), other, aRecipient(1)])
    expect(await ledger.ledger.compareRows(aCourse, rows)).toEqual(['unknown', 'known', 'changed', 'known'])
    expect(await ledger.ledger.compareRows(aCourse, [])).toEqual([])
  })

  test('is unknown in another course or environment', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const rows = rowsOf(ledger, [aRecipient(1)])
    const production = await openLedger(ledger.database, 'production')
    expect(await ledger.ledger.compareRows(otherCourse, rows)).toEqual(['unknown'])
    expect(await production.compareRows(aCourse, rows)).toEqual(['unknown'])
  })
})

describeWithDatabase('a course', () => {
  test('needs a canary until it has accepted a call', async () => {
    await using ledger = await openTestLedger()
    expect(await ledger.ledger.needsCanary(aCourse)).toBe(true)
    await ledger.publish(recipients(3))
    const attempt = await ledger.send(1)
    expect(await ledger.ledger.needsCanary(aCourse)).toBe(true)
    await ledger.answer(attempt, { class: 'accepted' })
    expect(await ledger.ledger.needsCanary(aCourse)).toBe(false)
  })
})
