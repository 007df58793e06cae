// The counts that are kept of a run's rows: they move with the rows, are summed up, and are compared with the rows before
// the run is settled.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('the counts of a run', () => {
  test('are those of its rows, however often they are summed up', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish(recipients(60))
    const states = async () => (await ledger.ledger.runs.withStates(run))?.states
    expect(await states()).toMatchObject({ pending: 60, requested: 0 })
    for (let sent = 1; sent <= 15; sent++) await ledger.answer(await ledger.send(2), { class: 'accepted' })
    expect(await states()).toMatchObject({ pending: 30, sending: 0, requested: 30 })
    const entries = () => ledger.queryOne<{ count: number }>('SELECT count(*) AS count FROM run_count')
    expect((await entries()).count).toBeGreaterThan(50)
    expect(await ledger.ledger.runs.settle()).toEqual([])
    expect(await entries()).toEqual({ count: 2 })
    expect(await states()).toMatchObject({ pending: 30, sending: 0, requested: 30 })
  })

  test('include surplus items', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    const item = aReportItem(aRecipient(1))
    await ledger.scan([item])
    await ledger.scan([item, { ...item, entity_uuid: 'another' }])
    expect(await ledger.ledger.runs.withStates(run)).toMatchObject({ states: { issued: 1 }, surplus: 1 })
  })

  test('that differ from the rows are reported once, counted again, and keep no other run from being settled', async () => {
    await using ledger = await openTestLedger()
    const runs = [await ledger.publish(recipients(1)), await ledger.publish(recipients(1, 2))]
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([aReportItem(aRecipient(1)), aReportItem(aRecipient(2))])
    const settledRuns = () => ledger.queryOne('SELECT array_agg(id) AS ids FROM run WHERE settled_at IS NOT NULL')
    await ledger.database.query(`UPDATE run_count SET rows = rows + 1 WHERE state = 'issued' AND run_id = $1`, [
      runs[0],
    ])
    await expect(ledger.ledger.runs.settle()).rejects.toThrow('differ from its rows')
    expect(await settledRuns()).toEqual({ ids: [runs[1]] })
    expect((await ledger.ledger.runs.withStates(runs[0] as string))?.states).toMatchObject({ issued: 1 })
    expect(await ledger.ledger.runs.settle()).toEqual([runs[0]])
  })
})
