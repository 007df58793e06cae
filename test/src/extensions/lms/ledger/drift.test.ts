// The nightly drift check: which profiles it reads, in which order, and when it stops.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const target = 'moodle-profile campus'

/**
 * Three learners with a verified delivery each. The third was checked longest ago. The nightly check has just begun.
 */
async function openCheck() {
  const testLedger = await openTestLedger()
  const { database, ledger } = testLedger
  const run = await testLedger.publish(recipients(3))
  await database.query(
    `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
     SELECT 'development', 'campus', 'spring', 'learner-' || row_number() OVER (ORDER BY id), 'FIRE-1', now(), 'poll', '{}', 'taken', run_id, row_number
     FROM issuance WHERE run_id = $1`,
    [run],
  )
  await database.query(
    `INSERT INTO delivery (issuance_id, target, wanted, state, verified_at, looked_at)
     SELECT id, $1, 'issued', 'verified', now(), now() - make_interval(hours => 30 + id::int) FROM issuance`,
    [target],
  )
  const night = { system: 'campus', schedule: '30 2 * * *', nextAt: new Date(0), checksDrift: true }
  await ledger.learningSystems.register(['campus'], [night])
  expect(await ledger.drift.begin('campus')).toBe(true)
  return testLedger
}

describeWithDatabase('the nightly drift check', () => {
  test('stops after four hours and continues the next day', async () => {
    await using testLedger = await openCheck()
    const due = () => testLedger.ledger.drift.due('campus', target, 9)
    await testLedger.database.query(`UPDATE learning_system SET look_began_at = now() - interval '5 hours'`)
    expect(await due()).toEqual([])
    await testLedger.database.query('UPDATE learning_system SET look_began_at = now()')
    expect(await due()).toHaveLength(3)
    expect(await testLedger.ledger.drift.due('campus', 'moodle-profile other', 9)).toEqual([])
  })

  test('includes a delivery that drifted the night before', async () => {
    await using testLedger = await openCheck()
    const { drift } = testLedger.ledger
    const due = () => drift.due('campus', target, 9)
    for (const tell of (await due()).flatMap(({ deliveries }) => deliveries))
      await drift.note(tell, { found: 'other', problem: 'The profile shows a different credential.' })
    expect(await due()).toEqual([])
    await drift.end('campus', new Date(0))
    expect(await drift.begin('campus')).toBe(true)
    expect((await due()).map(({ learner }) => learner).sort()).toEqual(['learner-1', 'learner-2', 'learner-3'])
  })

  test('records its findings, but ignores one for an outcome that has been superseded since the check read it', async () => {
    await using testLedger = await openCheck()
    const { drift, deliveries } = testLedger.ledger
    const [first, second, third] = (await drift.due('campus', target, 9)).flatMap((each) => each.deliveries)
    if (!first || !second || !third) throw new Error('Three were expected.')
    await drift.note(first, { found: 'other', problem: 'The profile shows a different credential.' })
    await drift.note(second, { found: 'again' })
    await drift.note({ ...third, wanted: 'revoked' }, { found: 'again' })
    const counts = {
      pending: 1,
      refused: 0,
      written: 0,
      verified: 1,
      incomplete: 0,
      drifted: 1,
      failed: 0,
      accountDeleted: 0,
    }
    expect(await deliveries.counts()).toEqual([
      { pipeline: 'spring', target, ...counts, problem: 'The profile shows a different credential.' },
    ])
    expect(await deliveries.again('spring', [{ name: target }])).toBe(1)
    expect(await deliveries.counts()).toMatchObject([{ pending: 2, drifted: 0, problem: null }])
  })
})
