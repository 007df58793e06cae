// More items than were asked for: counted once each, and a person decides where the row is not settled.

import { expect, test } from 'vitest'
import type { ReportItemShown } from '#src/reconcile/read-item.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const inQueue = { issued_status: 'Request inqueue', credential_id: null }
const shown = (entity_uuid: string | null, more: Partial<ReportItemShown> = {}) =>
  aReportItem(aRecipient(1), { entity_uuid, credential_id: `C-${entity_uuid}`, ...more })

async function accepted(): Promise<TestLedger> {
  const ledger = await openTestLedger()
  await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: 'accepted' })
  return ledger
}

const one = async (ledger: TestLedger) => (await ledger.standing())[0]

describeWithDatabase('a second item for one row', () => {
  test('after it was issued is counted once, told in the history, and changes no state', async () => {
    await using ledger = await accepted()
    await ledger.scan([shown('a')])
    for (let times = 0; times < 3; times++) await ledger.scan([shown('b'), shown('a')])
    expect(await one(ledger)).toMatchObject({ state: 'issued', credential: 'C-a', surplus: 1 })
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life?.history.filter((line) => line.event.startsWith('a second'))).toMatchObject([
      { evidence: { item: 'b' } },
    ])
  })

  test('before it was issued holds the row for a person', async () => {
    await using ledger = await accepted()
    await ledger.scan([shown('a', inQueue)])
    await ledger.scan([shown('a', inQueue), shown('b', inQueue)])
    expect(await one(ledger)).toMatchObject({ state: 'held', reason: expect.stringContaining('two items'), surplus: 1 })
  })

  test('on the same page is counted, and holds the row', async () => {
    await using ledger = await accepted()
    const both = [shown('a', inQueue), shown('b', inQueue)]
    await ledger.scan(both)
    expect(await one(ledger)).toMatchObject({ state: 'held', surplus: 1 })
  })

  test('and a third on one page are two', async () => {
    await using ledger = await accepted()
    await ledger.scan([shown('a')])
    await ledger.scan([shown('a'), shown('b'), shown('c')])
    expect(await one(ledger)).toMatchObject({ state: 'issued', surplus: 2 })
  })

  test('that has no id at first is not counted again when it has one', async () => {
    await using ledger = await accepted()
    await ledger.scan([shown('a')])
    await ledger.scan([shown('a'), shown(null)])
    await ledger.scan([shown('a'), shown('b')])
    expect(await one(ledger)).toMatchObject({ surplus: 1 })
    expect((await ledger.database.query('SELECT item_key FROM surplus_item')).rows).toEqual([{ item_key: 'b' }])
  })

  test('wants the results told again', async () => {
    await using ledger = await accepted()
    await ledger.scan([shown('a')])
    const [run] = await ledger.ledger.settleRuns()
    await ledger.ledger.noteTold(run as string, 1)
    await ledger.scan([shown('a')])
    expect(await ledger.ledger.wantedVersion(run as string)).toBeNull()
    await ledger.scan([shown('a'), shown('b')])
    expect(await ledger.ledger.wantedVersion(run as string)).toBe(2)
  })
})
