// Which deliveries are due.

import { expect, test } from 'vitest'
import type { DeliveryRefusal } from '#src/extensions/lms/ledger/deliveries.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const target = { name: 'hooks', learnersOf: null }
const targets = [{ pipeline: 'spring', showsOne: false, needs: [], ...target }]

/** A credential that is issued and of which the target is to be told. @returns its run */
async function issueAndDeliver(testLedger: TestLedger): Promise<string> {
  const runId = await testLedger.publish(recipients(1))
  await testLedger.answer(await testLedger.send(), { class: 'accepted' })
  await testLedger.scan([aReportItem(aRecipient(1))])
  await testLedger.ledger.deliveries.request(runId, targets)
  return runId
}

describeWithDatabase('a delivery', () => {
  test('is neither due nor counted as waiting once its credential has moved to another state', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await testLedger.publish(recipients(2))
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await testLedger.scan([1, 2].map((n) => aReportItem(aRecipient(n))))
    await database.query(`INSERT INTO delivery (issuance_id, target, wanted) SELECT id, $1, 'issued' FROM issuance`, [
      target.name,
    ])
    const due = async () =>
      (await ledger.deliveries.due({ pipeline: 'spring', ...target }, 9)).map(({ issuanceId }) => issuanceId)
    const waiting = () => ledger.deliveries.waiting([{ pipeline: 'spring', showsOne: false, ...target }])
    expect(await due()).toEqual([1, 2])
    expect(await waiting()).toEqual(['spring'])

    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 1`)
    expect(await due()).toEqual([2])
    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 2`)
    expect(await due()).toEqual([])
    expect(await waiting()).toEqual([])
  })
})

describeWithDatabase('a target that accepts no more deliveries', () => {
  test('gets none when a credential changes, until an operator asks for them again', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const { deliveries } = ledger
    const runId = await issueAndDeliver(testLedger)
    const problem = 'The target has gone (410).'
    await deliveries.note({ id: 1, wanted: 'issued' }, { kind: 'failed', problem, gone: true })

    await database.query(`UPDATE issuance SET state = 'revoked'`)
    await deliveries.request(runId, targets)
    expect(await deliveries.goneReason(target.name)).toBe(problem)

    await deliveries.again('spring', [target])
    expect(await deliveries.goneReason(target.name)).toBe(null)
    const { rows } = await database.query('SELECT wanted, state, gone, problem FROM delivery')
    expect(rows).toEqual([{ wanted: 'revoked', state: 'pending', gone: false, problem: null }])
  })
})

describeWithDatabase('a target that refused an outcome', () => {
  test('still refuses it while the target is away, until it answers otherwise', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const { deliveries } = ledger
    await issueAndDeliver(testLedger)
    const note = async (more: { refused?: DeliveryRefusal; away?: boolean }) => {
      await deliveries.note({ id: 1, wanted: 'issued' }, { kind: 'later', problem: 'no', waitMs: 1, ...more })
      const { rows } = await database.query<{ refused: boolean }>('SELECT refused FROM delivery')
      return rows[0]?.refused
    }
    expect(await note({ away: true })).toBe(false)
    expect(await note({ refused: { reach: 'here', code: null } })).toBe(true)
    expect(await note({ away: true })).toBe(true)
    expect(await note({})).toBe(false)
  })
})
