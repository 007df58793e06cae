// Somebody who was released, and whose credential is revoked by a later erasure, stays released.

import { expect, test } from 'vitest'
import { forget, type Person, publish } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']

describeWithDatabase('a person who was released, and is revoked afterwards', () => {
  test('is not taken for one who came back with a backup', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const { erasures } = ledger
    await publish(testLedger, [ada])
    await forget(testLedger, [1])
    const lines = await erasures.toRecord()
    await forget(testLedger, [1], {}, true)
    expect((await publish(testLedger, [ada])).outcomes).toEqual(['accepted'])
    expect(await erasures.lost(lines)).toEqual([])
    await withoutTriggers(database, `UPDATE issuance SET state = 'issued', credential_id = '1111-1' WHERE id = 1`)
    const asked = { by: 'ada', reason: 'a letter', releases: false, revokes: true }
    const id = await erasures.write({ ids: [1], rows: [], completions: [] }, asked, () => null)
    expect(await erasures.content(id)).toMatchObject({ issuances: [1] })
    expect(await erasures.lost(lines)).toEqual([])
  })
})
