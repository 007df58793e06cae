// The database itself enforces the lifecycle of an issuance: whatever a program requests, only the listed transitions
// happen.

import { expect, test } from 'vitest'
import { steps } from '#src/domain/credential/lifecycle.ts'
import { type State, states } from '#src/domain/credential/state.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

/** The shortest path from pending to a state. */
function pathTo(state: State): State[] {
  let paths: State[][] = [['pending']]
  for (;;) {
    const found = paths.find((path) => path.at(-1) === state)
    if (found) return found.slice(1)
    paths = paths.flatMap((path) => steps[path.at(-1) as State].map((next) => [...path, next]))
  }
}

function setState({ database }: TestLedger, id: number, state: State) {
  return database.query(`UPDATE issuance SET state = $2, event = 'test', credential_id = 'C' WHERE id = $1`, [
    id,
    state,
  ])
}

/** Whether the database accepts the transition; it is rolled back in either case. */
async function accepts(ledger: TestLedger, id: number, state: State): Promise<boolean> {
  const undo = new Error('undo')
  const fault = await ledger.database
    .transaction(async (sql) => {
      await sql.query(`UPDATE issuance SET state = $2, credential_id = 'C' WHERE id = $1`, [id, state])
      throw undo
    })
    .catch((error: unknown) => error as Error)
  if (fault !== undo) expect((fault as Error).message).toContain('an issuance cannot go from')
  return fault === undo
}

describeWithDatabase('the lifecycle in the database', () => {
  test('has two steps for a row that the report shows as issued at once, and records both', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    for (const state of pathTo('requested')) await setState(ledger, 1, state)
    await expect(setState(ledger, 1, 'issued')).rejects.toThrow('cannot go from requested to issued')
    await ledger.database.query(`UPDATE issuance SET state = 'issued', event = 'report', credential_id = 'C'`)
    const { rows } = await ledger.database.query(
      `SELECT from_state || ' ' || to_state AS step FROM history WHERE event = 'report' ORDER BY id`,
    )
    expect(rows).toEqual([{ step: 'requested in_progress' }, { step: 'in_progress issued' }])
    const counted = 'SELECT state, sum(rows)::int AS rows FROM run_count GROUP BY state HAVING sum(rows) <> 0'
    expect((await ledger.database.query(counted)).rows).toEqual([{ state: 'issued', rows: 1 }])
  })

  test('has the same transitions as the code', async () => {
    await using ledger = await openTestLedger()
    const { rows } = await ledger.database.query<{ step: string }>(
      `SELECT from_state || ' ' || to_state AS step FROM lifecycle_step`,
    )
    const listed = states.flatMap((from) => steps[from].map((to) => `${from} ${to}`))
    expect(rows.map((row) => row.step).sort()).toEqual(listed.sort())
  })

  test('accepts every listed transition and refuses all others, tested with all hundred pairs', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(states.length))
    for (const [index, from] of states.entries()) {
      for (const state of pathTo(from)) await setState(ledger, index + 1, state)
      for (const to of states) {
        const listed = from === to || steps[from].includes(to)
        expect(await accepts(ledger, index + 1, to), `from ${from} to ${to}`).toBe(listed)
      }
    }
    expect(await ledger.states()).toEqual([...states])
  })

  test('has only the ten states', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await expect(setState(ledger, 1, 'lost' as State)).rejects.toThrow()
    // The state is refused even if a migration lists a transition to it by mistake.
    await ledger.database.query(`INSERT INTO lifecycle_step VALUES ('pending', 'lost')`)
    await expect(setState(ledger, 1, 'lost' as State)).rejects.toThrow('issuance_state_check')
  })

  test('starts with pending only', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const copy = (state: State) =>
      ledger.database.query(
        `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, state, credential_id)
         SELECT environment, course_uuid, '\\x00', identity_hash, run_id, 9, pipeline, $1, 'C' FROM issuance`,
        [state],
      )
    for (const state of states.filter((state) => state !== 'pending'))
      await expect(copy(state), state).rejects.toThrow('begins as pending')
  })

  test('allows no issued row without a credential', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    for (const state of pathTo('in_progress')) await setState(ledger, 1, state)
    const issue = `UPDATE issuance SET state = 'issued', credential_id = NULL WHERE id = 1`
    await expect(ledger.database.query(issue)).rejects.toThrow('check constraint')
  })

  test('writes exactly one line of history for the start and for each transition, and none for anything else', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    for (const state of pathTo('revoked')) {
      await setState(ledger, 1, state)
      await setState(ledger, 1, state)
    }
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.map(({ event, from, to }) => [event, from, to])).toEqual([
      ['accepted', null, 'pending'],
      ['test', 'pending', 'sending'],
      ['test', 'sending', 'requested'],
      ['test', 'requested', 'in_progress'],
      ['test', 'in_progress', 'issued'],
      ['test', 'issued', 'revoked'],
    ])
    expect(explained?.stateSince).toBeInstanceOf(Date)
  })

  test.each([
    ["UPDATE history SET event = 'nothing happened'", 'append-only'],
    ['DELETE FROM history', 'kept for ever'],
    ['TRUNCATE history', 'kept for ever'],
    ['DELETE FROM issuance', 'kept for ever'],
    ['TRUNCATE issuance CASCADE', 'kept for ever'],
    ['DELETE FROM run_row', 'kept for ever'],
    ['TRUNCATE run_row CASCADE', 'kept for ever'],
    ['TRUNCATE run CASCADE', 'kept for ever'],
    ['DELETE FROM run', 'kept for ever'],
    ['UPDATE run SET id = gen_random_uuid()', 'kept for ever'],
    ['UPDATE issuance SET id = DEFAULT', 'kept for ever'],
    ['UPDATE run_row SET issuance_id = 2 WHERE issuance_id = 1', 'kept for ever'],
    ['UPDATE run_row SET run_id = gen_random_uuid()', 'kept for ever'],
    ['UPDATE issuance_match SET issuance_id = 99', 'kept for ever'],
    ["UPDATE issuance SET issuance_key = '\\x01'", 'for ever'],
    ['UPDATE issuance SET run_id = gen_random_uuid()', 'for ever'],
    ['UPDATE issuance SET course_uuid = gen_random_uuid()', 'for ever'],
    ["UPDATE issuance SET environment = 'production'", 'for ever'],
    ["INSERT INTO history (issuance_id, event) VALUES (99, 'made up')", 'names an issuance that is not there'],
    ["INSERT INTO issuance_match VALUES ('\\x01', 99)", 'names an issuance that is not there'],
    [`INSERT INTO run_row SELECT id, 9, 'accepted', '[]', NULL, 99 FROM run`, 'names an issuance that is not there'],
    [`INSERT INTO run_row SELECT gen_random_uuid(), 9, 'accepted', '[]', NULL, 1`, 'names a run that is not there'],
    [
      `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline)
       SELECT environment, course_uuid, '\\x00', identity_hash, gen_random_uuid(), 9, pipeline FROM issuance LIMIT 1`,
      'names a run that is not there',
    ],
  ])('refuses: %s', async (sql, message) => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    await expect(ledger.database.query(sql)).rejects.toThrow(message)
    expect(await ledger.queryOne('SELECT count(*) AS lines FROM history')).toEqual({ lines: 2 })
    expect(await ledger.states()).toEqual(['pending', 'pending'])
  })
})
