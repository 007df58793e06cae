// What a person decides about held and failed rows, on a real ledger.

import { expect, test } from 'vitest'
import { aRecipient, aReportItem, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const me = { by: 'Ada', why: 'looked it up in the portal' }

/** Person 1, held because the report shows another name for the address. */
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
    const [held] = await ledger.ledger.heldRows()
    expect(held).toMatchObject({
      id: 1,
      sendings: 1,
      claimedItem: expect.any(String),
      reason: expect.stringContaining('First Name'),
    })
  })

  test('that the service has is followed to its end, and nothing is sent', async () => {
    await using ledger = await heldForName()
    expect(await ledger.ledger.resolveHeld([1], 'sent', me)).toEqual([1])
    await ledger.scan([aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })])
    expect(await ledger.states()).toEqual(['issued'])
    expect(await ledger.ledger.prepareAttempt('spring', 10)).toBeNull()
  })

  test('whose own item shows beside the wrong one is followed by its own, once a person has said that it was sent', async () => {
    await using ledger = await heldForName()
    const wrong = aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })
    const right = aReportItem(aRecipient(1), { entity_uuid: 'the-right-one', credential_id: '1-2' })
    await ledger.scan([wrong, right])
    await ledger.ledger.resolveHeld([1], 'sent', me)
    await ledger.scan([wrong, right])
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life).toMatchObject({ state: 'issued', entityUuid: 'the-right-one', credentialId: '1-2' })
  })

  test('that the service does not have is sent as if for the first time, and what the report showed by then is not its own', async () => {
    await using ledger = await heldForName()
    const wrong = aReportItem(aRecipient(1), { fname: 'Somebody', lname: 'Else' })
    expect(await ledger.ledger.resolveHeld([1], 'not sent', me)).toEqual([1])
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([wrong])
    expect(await ledger.states()).toEqual(['requested'])
    await ledger.scan([wrong, aReportItem(aRecipient(1), { entity_uuid: 'the-right-one', credential_id: '1-2' })])
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life).toMatchObject({ state: 'issued', entityUuid: 'the-right-one', credentialId: '1-2' })
  })

  test('is decided once, with who and why in its history', async () => {
    await using ledger = await heldForName()
    await ledger.ledger.resolveHeld([1], 'sent', me)
    expect(await ledger.ledger.resolveHeld([1], 'not sent', me)).toEqual([])
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life?.history.at(-1)).toMatchObject({
      event: 'a person decided: sent',
      from: 'held',
      to: 'requested',
      evidence: me,
    })
  })

  test('is not held again for a second item that its person knew', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const twice = ['one', 'two'].map((entity_uuid) =>
      aReportItem(aRecipient(1), { entity_uuid, issued_status: 'Request inqueue' }),
    )
    await ledger.scan(twice)
    await ledger.scan(twice)
    expect(await ledger.states()).toEqual(['held'])
    await ledger.ledger.resolveHeld([1], 'sent', me)
    await ledger.scan(twice)
    expect(await ledger.states()).toEqual(['requested'])
    await ledger.scan([
      ...twice,
      aReportItem(aRecipient(1), { entity_uuid: 'three', issued_status: 'Request inqueue' }),
    ])
    expect(await ledger.states()).toEqual(['held'])
  })
})

describeWithDatabase('a failed row', () => {
  test('is sent again alone, and its run has not come to rest until it has', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish(recipients(3))
    await ledger.answer(await ledger.send(1), { class: 'refused' })
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([2, 3].map((n) => aReportItem(aRecipient(n))))
    expect(await ledger.states()).toEqual(['failed', 'issued', 'issued'])
    expect(await ledger.ledger.settleRuns()).toEqual([run])
    expect(await ledger.ledger.retryFailed({ run }, me)).toEqual([1])
    expect((await ledger.ledger.findRun(run))?.settledAt).toBeNull()
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([1, 2, 3].map((n) => aReportItem(aRecipient(n))))
    expect(await ledger.states()).toEqual(['issued', 'issued', 'issued'])
    expect(await ledger.ledger.settleRuns()).toEqual([run])
  })
})
