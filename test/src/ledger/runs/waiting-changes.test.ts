// Which rows that differ from a known credential wait for an operator's decision.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { countWaitingChanges } from '#src/ledger/runs/waiting-changes.ts'
import { hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const bea = (person: number) => aRecipient(person, { 'First Name': 'Bea' })

/** The data of issuance 1 differ in a later list. Issuances 1 to 3 are issued. */
async function openDiffering(): Promise<TestLedger & { list: string }> {
  const testLedger = await openTestLedger()
  await testLedger.publish(recipients(3))
  await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'issued', credential_id = 'C'`)
  const list = await testLedger.publish([bea(1)])
  return { ...testLedger, list, [Symbol.asyncDispose]: () => testLedger[Symbol.asyncDispose]() }
}

const waitingIn = async ({ ledger }: Pick<TestLedger, 'ledger'>, run?: string) =>
  (await ledger.revocations.waitingChanges(run ? { run } : {})).map(({ issuanceId }) => issuanceId)

const sentAgain = (issuance: number, state: string, evidence: string, at = 'clock_timestamp()') =>
  `INSERT INTO history (issuance_id, from_state, to_state, event, evidence, at) SELECT ${issuance}, 'failed', '${state}', 'sent again', '${evidence}', ${at}`
const failed = (credential: string | null) =>
  `UPDATE issuance SET state = 'failed', credential_id = ${credential} WHERE id = 1`

describeWithDatabase('a row that differs from a credential', () => {
  test.each<[what: string, waits: boolean, changes: string[]]>([
    ['is issued', true, []],
    ['was revoked', false, [`UPDATE issuance SET state = 'revoked' WHERE id = 1`]],
    ['has failed without a credential', true, [failed('NULL')]],
    ['has failed with a credential', false, [failed(`'C'`)]],
    ['was corrected', false, ['UPDATE issuance SET corrects = 1 WHERE id = 2']],
    ['is beside another one that was corrected', true, ['UPDATE issuance SET corrects = 3 WHERE id = 2']],
    ['was sent again with other data', false, [sentAgain(1, 'pending', '{"fields": []}')]],
    ['was sent again as it was', true, [sentAgain(1, 'pending', '{}')]],
    ['moved to another state', true, [sentAgain(1, 'held', '{"fields": []}')]],
    [
      'had been sent again before',
      true,
      [sentAgain(1, 'pending', '{"fields": []}', '(SELECT max(published_at) FROM run)')],
    ],
    ['is beside another one that was sent again', true, [sentAgain(2, 'pending', '{"fields": []}')]],
    ['is in another environment', false, [`UPDATE run SET environment = 'production'`]],
    [
      'has the row in its own list',
      false,
      ['UPDATE issuance SET run_id = (SELECT id FROM run ORDER BY received_at DESC LIMIT 1) WHERE id = 1'],
    ],
    ['has a decision that is over', false, ['UPDATE run_row SET change_over = true WHERE changed_fields IS NOT NULL']],
  ])('that %s waits: %s', async (_, waits, changes) => {
    await using testLedger = await openDiffering()
    for (const change of changes) await withoutTriggers(testLedger.database, change)
    expect(await waitingIn(testLedger)).toEqual(waits ? [1] : [])
    expect(await waitingIn({ ledger: await openWholeLedger(testLedger.database, 'any') })).toEqual(
      waits || changes[0]?.includes('production') ? [1] : [],
    )
  })

  test('is listed for its own pipelines, and with so many others as are asked for', async () => {
    await using testLedger = await openDiffering()
    await testLedger.publish([bea(2)])
    await withoutTriggers(testLedger.database, `UPDATE issuance SET pipeline = 'autumn' WHERE id = 2`)
    const { revocations } = testLedger.ledger
    const listed = async (filter: Parameters<typeof revocations.waitingChanges>[0]) =>
      (await revocations.waitingChanges(filter)).map(({ issuanceId }) => issuanceId)
    expect(await listed({ scope: ['autumn'] })).toEqual([2])
    expect(await listed({ scope: ['spring'] })).toEqual([1])
    expect(await listed({ scope: null, limit: 1 })).toEqual([2])
  })

  test('is found page by page, although the last one of a page was decided meanwhile', async () => {
    await using testLedger = await openDiffering()
    await testLedger.publish([bea(3), bea(2)])
    const { revocations } = testLedger.ledger
    await testLedger.database.query(`UPDATE run SET received_at = '2026-03-01T10:00:00.000001Z'`)
    const page = async (before: string | null) => (await revocations.waitingChanges({ before, limit: 1 }))[0]
    const found = []
    for (let before: string | null = null; ; ) {
      const next = await page(before)
      if (!next) break
      found.push(next.issuanceId)
      before = next.cursor ?? null
      await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'revoked' WHERE id = ${next.issuanceId}`)
    }
    expect(found).toEqual([1, 3, 2])
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'issued'`)
    for (const malformed of ['', 'x 1 1', '2026-02-30T00:00:00.000000Z 1 1'])
      expect((await page(malformed))?.issuanceId).toBe(1)
  })

  test('is the last one about its credential, and waits until a later list does not differ', async () => {
    await using testLedger = await openDiffering()
    const { database, ledger } = testLedger
    await using unordered = await openUnordered(testLedger)
    const last = await testLedger.publish([aRecipient(1, { 'First Name': 'Cea' }), bea(3), bea(2)])
    expect((await ledger.revocations.waitingChanges()).map(({ run, row }) => [run === last, row])).toEqual([
      [true, 2],
      [true, 3],
      [true, 4],
    ])
    expect(await waitingIn(unordered)).toEqual([1, 3, 2])
    expect(await waitingIn(unordered, last)).toEqual([1, 3, 2])
    expect(await waitingIn(testLedger, testLedger.list)).toEqual([])
    await database.query('UPDATE run SET received_at = $2 WHERE id = $1', [last, hoursAgo(9)])
    await testLedger.publish([bea(2)])
    expect(await waitingIn(unordered)).toEqual([2, 1, 3])
    const since = (await ledger.runs.find(last))?.receivedAt
    expect(await countWaitingChanges(database, 'development')).toEqual([{ pipeline: 'spring', count: 3, since }])
    await testLedger.publish([aRecipient(1)])
    expect(await waitingIn(testLedger)).toEqual([2, 3])
  })
})
