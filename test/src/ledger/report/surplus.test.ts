// More items than were requested: each is counted once, and the row is held if it is not settled.

import { expect, test } from 'vitest'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const shown = (entity_uuid: string | null, more: Partial<ItemAsShown> = {}) =>
  aReportItem(aRecipient(1), { entity_uuid, credential_id: `C-${entity_uuid}`, ...more })

async function openAccepted(): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: 'accepted' })
  return ledger
}

const onlyIssuance = async (ledger: TestLedger) => (await ledger.issuances())[0]

describeWithDatabase('a second item for one row', () => {
  test('that appears after it was issued is counted once, recorded in the history, and changes no state', async () => {
    await using ledger = await openAccepted()
    await ledger.scan([shown('a')])
    for (let times = 0; times < 3; times++) await ledger.scan([shown('b'), shown('a')])
    expect(await onlyIssuance(ledger)).toMatchObject({ state: 'issued', credential: 'C-a', surplus: 1 })
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.filter((line) => line.event.startsWith('a second'))).toMatchObject([
      { evidence: { item: 'b' } },
    ])
  })

  test('that has no id at first is not counted again when it gets one', async () => {
    await using ledger = await openAccepted()
    await ledger.scan([shown('a')])
    await ledger.scan([shown('a'), shown(null)])
    await ledger.scan([shown('a'), shown('b')])
    expect(await onlyIssuance(ledger)).toMatchObject({ surplus: 1 })
    expect((await ledger.database.query('SELECT item_key FROM surplus_item')).rows).toEqual([{ item_key: 'b' }])
  })

  test('requests new results', async () => {
    await using ledger = await openAccepted()
    await ledger.scan([shown('a')])
    const [run] = await ledger.ledger.runs.settle()
    await ledger.ledger.writeBacks.noteReported(run as string, 1)
    await ledger.scan([shown('a')])
    expect(await ledger.ledger.writeBacks.wantedVersion(run as string)).toBeNull()
    await ledger.scan([shown('a'), shown('b')])
    expect(await ledger.ledger.writeBacks.wantedVersion(run as string)).toBe(2)
  })
})
