// Which deliveries a drift check reads, and in which order: those of one learner, beside those of other targets, systems,
// learners and environments.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const target = 'moodle-profile campus'
const began = '2026-03-10T00:00Z'

interface Delivered {
  /** The completion: no other is named if this is null. */
  learner?: string | null
  system?: string
  day?: number
  state?: string
  target?: string
  /** When it was last checked, and when it was last verified: days in March. */
  checked?: number
  verified?: number
}

/** By issuance, which is also the row of its list except for the last ones. */
const deliveries: Record<number, Delivered> = {
  1: { verified: 1, checked: 3, day: 1 },
  2: { verified: 2, checked: 9, day: 2 },
  3: { state: 'pending', verified: 1, day: 3 },
  // Not to be delivered any more.
  4: { state: 'failed', day: 4 },
  5: { learner: 'bea', state: 'failed', checked: 1 },
  6: { learner: 'cea', checked: 10 },
  7: { learner: 'dan', target: 'moodle-profile other', checked: 1 },
  8: { system: 'seminar', checked: 11 },
  // The list of autumn, another list of spring, whose row has the number of issuance 1, and production.
  9: { verified: 5, checked: 4 },
  10: { learner: null, checked: 11 },
  11: { checked: 1 },
}

/** A check of campus is in progress. Those of another system and in another environment began later. */
async function openCheck(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const { database } = testLedger
  await testLedger.publish(recipients(8))
  await testLedger.publish(recipients(1, 50), { pipeline: 'autumn' })
  await testLedger.publish(recipients(1, 70))
  await publish(await openWholeLedger(database, 'production'), recipients(1))
  await withoutTriggers(
    database,
    `UPDATE issuance SET state = CASE WHEN id = 2 THEN 'revoked' ELSE 'issued' END, credential_id = 'C'`,
  )
  const march = (day: number) => new Date(Date.UTC(2026, 2, day))
  for (const [id, { learner = 'ada', system = 'campus', day = 1, state = 'verified', ...more }] of Object.entries(
    deliveries,
  )) {
    const { checked = 1, verified = 1 } = more
    if (learner !== null)
      await database.query(
        `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
         SELECT environment, $2, pipeline, $3, 'FIRE-1', $4, 'poll', '{}', 'taken', run_id, row_number FROM issuance WHERE id = $1`,
        [id, system, learner, march(day)],
      )
    await database.query(
      `INSERT INTO delivery (issuance_id, target, wanted, state, verified_at, looked_at) VALUES ($1, $2, 'issued', $3, $4, $5)`,
      [id, more.target ?? target, state, march(verified), march(checked)],
    )
  }
  await database.query(
    `INSERT INTO delivery (issuance_id, target, wanted, state, verified_at, looked_at) VALUES (1, 'moodle-profile other', 'issued', 'verified', $1, $1)`,
    [march(1)],
  )
  await database.query(
    `INSERT INTO learning_system (environment, system, look_at, look_began_at) VALUES
       ('development', 'campus', $1, $1), ('development', 'other', $2, $2), ('production', 'campus', $2, $2)`,
    [began, march(20)],
  )
  // The time of a check is over after four hours.
  await database.query(
    `UPDATE learning_system SET look_began_at = look_began_at + (clock_timestamp() - $1::timestamptz)`,
    [began],
  )
  await database.query(
    `UPDATE delivery SET looked_at = looked_at + (SELECT look_began_at - $1::timestamptz FROM learning_system WHERE system = 'campus' AND environment = 'development')`,
    [began],
  )
  return testLedger
}

const dueIn = async ({ ledger }: Pick<TestLedger, 'ledger'>, limit: number) =>
  (await ledger.drift.due('campus', target, limit)).map(({ learner, deliveries }) => ({
    learner,
    issuances: deliveries.map(({ issuanceId }) => issuanceId),
  }))

describeWithDatabase('a drift check', () => {
  test('reads everything of a learner at the target, the pipeline that delivered last first', async () => {
    await using testLedger = await openCheck()
    // Of spring, the credential that is valid and then the one of the latest completion.
    const ada = { learner: 'ada', issuances: [9, 3, 1, 2] }
    expect(await dueIn(testLedger, 99)).toEqual([ada])
    expect(await dueIn(testLedger, 1)).toEqual([ada])
  })

  test('begins with those that were checked longest ago', async () => {
    await using testLedger = await openCheck()
    const { database } = testLedger
    await database.query(`UPDATE delivery SET looked_at = looked_at - interval '9 days' WHERE issuance_id = 6`)
    await using unordered = await openUnordered(testLedger)
    expect((await dueIn(unordered, 1)).map(({ learner }) => learner)).toEqual(['cea'])
  })

  test('records nothing of a delivery that waits by now', async () => {
    await using testLedger = await openCheck()
    const id = (await testLedger.queryOne<{ id: number }>(`SELECT id FROM delivery WHERE state = 'pending'`)).id
    await testLedger.ledger.drift.note({ id, wanted: 'issued' }, { found: 'same' })
    expect(await testLedger.queryOne('SELECT state FROM delivery WHERE id = $1', [id])).toEqual({ state: 'pending' })
  })
})
