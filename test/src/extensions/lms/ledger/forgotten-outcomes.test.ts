// What a learning system was told of learners who were forgotten: it stays there, and is told nobody else.

import { expect, test } from 'vitest'
import { deliveredOutcomes } from '#src/extensions/lms/ledger/forget-learners.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { requestProfileCheck } from '#test/support/request-profile-check.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import { aCompletion, at, cellsOf, forget, ingest, publishRun, request, settle } from './runs-of-learners.ts'

const profiles = { pipeline: 'spring', name: 'moodle-profile campus', showsOne: true, learnersOf: 'campus' }
const events = { pipeline: 'spring', name: 'webhook example.org 1a2b', showsOne: false, learnersOf: null }

describeWithDatabase('what a learning system was told of a forgotten person', () => {
  /** Publishes a run of these learners, whose outcomes the targets are to be told. */
  async function toBeTold(testLedger: TestLedger, learners: string[], targets: (typeof profiles | typeof events)[]) {
    await ingest(
      testLedger,
      learners.map((learner) => aCompletion(learner)),
    )
    const run = await publishRun(testLedger)
    await settle(testLedger)
    await testLedger.ledger.deliveries.request(run, targets)
    return run
  }

  async function told(testLedger: TestLedger): Promise<string> {
    const { deliveries } = testLedger.ledger
    const run = await toBeTold(testLedger, ['7', '8'], [profiles, events])
    for (const target of [profiles, events])
      for (const due of await deliveries.due(target, 9)) await deliveries.note(due, { kind: 'verified' })
    return run
  }

  test('is listed, and neither told nor looked at again', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const run = await told(testLedger)
    const listed = [
      {
        issuanceId: 1,
        target: profiles.name,
        system: 'campus',
        what: 'profile field',
        outcome: 'failed',
        at: expect.any(Date),
      },
      { issuanceId: 1, target: events.name, system: null, what: 'event', outcome: 'failed', at: expect.any(Date) },
    ]
    expect(await deliveredOutcomes(database, [1])).toEqual(listed)
    expect(await forget(testLedger, { ids: [1] })).toBe(true)
    expect(await deliveredOutcomes(database, [1])).toEqual(listed)
    await ledger.deliveries.request(run, [profiles, events])
    expect(await ledger.deliveries.again('spring', [profiles, events])).toBe(0)
    expect(await ledger.deliveries.requestAll('spring', [profiles, events])).toBe(0)
    expect(await ledger.deliveries.counts()).toMatchObject([
      { verified: 1, failed: 0, pending: 0 },
      { verified: 1, failed: 0, pending: 0 },
    ])
    await ledger.learningSystems.register(
      ['campus'],
      [{ system: 'campus', schedule: 'x', nextAt: at(1), checksDrift: true }],
    )
    await requestProfileCheck(database)
    await ledger.drift.begin('campus')
    expect((await ledger.drift.due('campus', profiles.name, 1)).map(({ learner }) => learner)).toEqual(['8'])
  })

  test('is told of a later revocation only where no learner is needed', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const run = await told(testLedger)
    await forget(testLedger, { ids: [1] })
    await database.query(`ALTER TABLE issuance DISABLE TRIGGER USER`)
    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 1`)
    await ledger.deliveries.request(run, [profiles, events])
    expect(await ledger.deliveries.due(profiles, 9)).toEqual([])
    expect(await ledger.deliveries.due(events, 9)).toMatchObject([
      { issuanceId: 1, wanted: 'revoked', completion: null },
    ])
  })

  test.each([false, true])('is not told to another learner at the address (released: %s)', async (releases) => {
    await using testLedger = await openTestLedger()
    const { deliveries } = testLedger.ledger
    await ingest(testLedger, [aCompletion('one')])
    const run = await publishRun(testLedger)
    const shared = { ...cellsOf('two'), email: cellsOf('one').email }
    await ingest(testLedger, [aCompletion('two', 2, { cells: shared })])
    await publishRun(testLedger)
    await settle(testLedger)
    const accountOfTwo = { system: 'campus', learner: 'two', course: 'FIRE-1', completedAt: at(2) }
    expect(await deliveries.shown('spring', accountOfTwo)).toMatchObject({ issuanceId: 1 })
    await deliveries.request(run, [profiles, events])
    expect(await deliveries.due(profiles, 9)).toMatchObject([{ completion: { learner: 'one' } }])
    for (const target of [profiles, events])
      for (const due of await deliveries.due(target, 9)) await deliveries.note(due, { kind: 'verified' })
    expect(await forget(testLedger, { ids: [1], releases })).toBe(true)
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'revoked'`)
    await deliveries.request(run, [profiles, events])
    expect(await deliveries.due(profiles, 9)).toEqual([])
    expect(await deliveries.due(events, 9)).toMatchObject([{ wanted: 'revoked', completion: null }])
    expect(await deliveries.shown('spring', accountOfTwo)).toBeNull()
  })

  test('is not told to a target that knows nothing of it', async () => {
    await using testLedger = await openTestLedger()
    const { deliveries } = testLedger.ledger
    await ingest(testLedger, [aCompletion('7'), aCompletion('8')])
    const run = await publishRun(testLedger)
    await settle(testLedger)
    await forget(testLedger, { ids: [1] })
    await deliveries.request(run, [events])
    expect(await deliveries.due(events, 9)).toMatchObject([{ issuanceId: 2 }])
    const later = { ...events, name: 'webhook example.org 3c4d' }
    expect(await deliveries.requestAll('spring', [later])).toBe(1)
    expect(await deliveries.due(later, 9)).toMatchObject([{ issuanceId: 2 }])
  })

  test('is not told again where a target took nothing any more', async () => {
    await using testLedger = await openTestLedger()
    const { deliveries } = testLedger.ledger
    await toBeTold(testLedger, ['7'], [events])
    for (const due of await deliveries.due(events, 9))
      await deliveries.note(due, { kind: 'failed', problem: 'Gone.', gone: true })
    await forget(testLedger, { ids: [1] })
    expect(await testLedger.queryOne('SELECT state, gone FROM delivery')).toEqual({ state: 'forgotten', gone: false })
    await testLedger.database.query('UPDATE delivery SET gone = true')
    expect(await deliveries.again('spring', [events])).toBe(0)
  })

  test('is not written over by a delivery that was under way', async () => {
    await using testLedger = await openTestLedger()
    const { deliveries } = testLedger.ledger
    await toBeTold(testLedger, ['7'], [profiles])
    const [due] = await deliveries.due(profiles, 9)
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state_since = now() - interval '8 days'`)
    const id = await request(testLedger, { ids: [1] })
    expect(await testLedger.ledger.erasures.emptyNext(id)).toBe(0)
    await testLedger.database.query(`UPDATE erasure SET requested_at = now() - interval '8 days'`)
    expect(await testLedger.ledger.erasures.emptyNext(id)).toBe(2)
    if (due) await deliveries.note(due, { kind: 'failed', problem: 'Learner 7: no such field.' })
    expect(await testLedger.queryOne('SELECT state, problem FROM delivery')).toEqual({
      state: 'forgotten',
      problem: null,
    })
  })
})
