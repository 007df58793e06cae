// Operators' decisions about held and failed rows, with a real database.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const decision = { by: 'Ada', why: 'looked it up in the portal' }

/** A ledger in which person 1 is held, because the report shows a different name for the address. */
async function heldForName(): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: 'accepted' })
  await ledger.scan([aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })])
  expect(await ledger.states()).toEqual(['held'])
  return ledger
}

describeWithDatabase('a held row', () => {
  test('is listed with its evidence', async () => {
    await using ledger = await heldForName()
    const [held] = await ledger.ledger.decisions.heldRows()
    expect(held).toMatchObject({
      id: 1,
      sendings: 1,
      claimedItem: expect.any(String),
      reason: expect.stringContaining('First Name'),
    })
  })

  test('that the service has received is followed until it is issued, and nothing is sent', async () => {
    await using ledger = await heldForName()
    expect(await ledger.ledger.decisions.resolve([1], 'sent', decision)).toEqual([1])
    await ledger.scan([aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })])
    expect(await ledger.states()).toEqual(['issued'])
    expect(await prepareOne(ledger.ledger, 'spring', 10)).toBeNull()
  })

  test('is followed by its own item, not by the wrong one beside it, once an operator decides that it was sent', async () => {
    await using ledger = await heldForName()
    const wrong = aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })
    const right = aReportItem(aRecipient(1), { entity_uuid: 'the-right-one', credential_id: '1-2' })
    await ledger.scan([wrong, right])
    await ledger.ledger.decisions.resolve([1], 'sent', decision)
    await ledger.scan([wrong, right])
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained).toMatchObject({ state: 'issued', entityUuid: 'the-right-one', credentialId: '1-2' })
  })

  test('that the service has not received is sent as if for the first time, and earlier report items do not count as its own', async () => {
    await using ledger = await heldForName()
    const wrong = aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })
    expect(await ledger.ledger.decisions.resolve([1], 'not sent', decision)).toEqual([1])
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([wrong])
    expect(await ledger.states()).toEqual(['requested'])
    await ledger.scan([wrong, aReportItem(aRecipient(1), { entity_uuid: 'the-right-one', credential_id: '1-2' })])
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained).toMatchObject({ state: 'issued', entityUuid: 'the-right-one', credentialId: '1-2' })
  })

  test('is decided once, with the operator and the reason in its history', async () => {
    await using ledger = await heldForName()
    await ledger.ledger.decisions.resolve([1], 'sent', decision)
    expect(await ledger.ledger.decisions.resolve([1], 'not sent', decision)).toEqual([])
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.at(-1)).toMatchObject({
      event: 'a person decided: sent',
      from: 'held',
      to: 'requested',
      evidence: decision,
    })
  })

  test('is not held again because of a second item that the operator already knew of', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const twoItems = ['one', 'two'].map((entity_uuid) =>
      aReportItem(aRecipient(1), { entity_uuid, issued_status: 'Request inqueue' }),
    )
    await ledger.scan(twoItems)
    await ledger.scan(twoItems)
    expect(await ledger.states()).toEqual(['held'])
    await ledger.ledger.decisions.resolve([1], 'sent', decision)
    await ledger.scan(twoItems)
    expect(await ledger.states()).toEqual(['requested'])
    await ledger.scan([
      ...twoItems,
      aReportItem(aRecipient(1), { entity_uuid: 'three', issued_status: 'Request inqueue' }),
    ])
    expect(await ledger.states()).toEqual(['held'])
  })
})

describeWithDatabase('a failed row', () => {
  test('is sent again without the other rows, and its run is not settled until then', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish(recipients(3))
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([2, 3].map((n) => aReportItem(aRecipient(n))))
    expect(await ledger.states()).toEqual(['failed', 'issued', 'issued'])
    expect(await ledger.ledger.runs.settle()).toEqual([run])
    expect(await ledger.ledger.decisions.retry({ run }, decision)).toEqual([1])
    expect((await ledger.ledger.runs.find(run))?.settledAt).toBeNull()
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([1, 2, 3].map((n) => aReportItem(aRecipient(n))))
    expect(await ledger.states()).toEqual(['issued', 'issued', 'issued'])
    expect(await ledger.ledger.runs.settle()).toEqual([run])
  })
})
