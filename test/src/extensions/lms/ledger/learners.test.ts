// Which learner a credential belongs to, and which credential a learner is shown: completions of one learner, beside
// those of others, of another system, pipeline and environment.

import { expect, test } from 'vitest'
import type { Database } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

interface Completion {
  /** The row of the list, which is that of issuance `row - 1`, and the day in March on which the course was completed. */
  row: number
  learner?: string
  system?: string
  pipeline?: string
  environment?: string
}

async function addCompletions(database: Database, run: string, completions: readonly Completion[]): Promise<void> {
  for (const { row, learner = 'ada', system = 'campus', pipeline = 'spring', ...more } of completions)
    await withoutTriggers(
      database,
      `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
       VALUES ($1, $2, $3, $4, 'FIRE-1', $5, 'poll', '{}', 'taken', $6, $7)`,
      [
        ...[more.environment ?? 'development', system, pipeline, learner],
        ...[new Date(`2026-03-${String(row).padStart(2, '0')}T12:00:00Z`), run, row],
      ],
    )
}

/** Issuances 1 to 6, in the rows 2 to 7, with these states. Row 2 of another list is issuance 7, which is issued. */
async function openRun(states: readonly string[]): Promise<{ testLedger: TestLedger; run: string; other: string }> {
  const testLedger = await openTestLedger()
  const run = await testLedger.publish(recipients(6))
  for (const [index, state] of states.entries())
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = $2, credential_id = 'C' WHERE id = $1`, [
      index + 1,
      state,
    ])
  const other = await testLedger.publish(recipients(1, 70))
  await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'issued', credential_id = 'C' WHERE id = 7`)
  return { testLedger, run, other }
}

describeWithDatabase('a learner', () => {
  const [issued, revoked] = ['issued', 'revoked']
  const both: Completion[] = [{ row: 2 }, { row: 3 }]

  test.each<[what: string, shown: number | null, states: string[], completions: Completion[], change?: string]>([
    ['with two credentials is shown the later one', 2, [issued, issued], both],
    ['whose later credential was revoked is shown the other one', 1, [issued, revoked], both],
    ['whose credentials were both revoked is shown the later one', 2, [revoked, revoked], both],
    ['whose later credential is not final is shown the other one', 1, [issued, 'requested'], both],
    ['without a credential is shown nothing', null, ['requested', issued], [{ row: 2 }]],
    ['is not shown that of another learner', 1, [issued, issued], [{ row: 2 }, { row: 3, learner: 'bea' }]],
    ['is not shown that of another system', 1, [issued, issued], [{ row: 2 }, { row: 3, system: 'seminar' }]],
    ['is not shown that of another pipeline', 1, [issued, issued], [{ row: 2 }, { row: 3, pipeline: 'autumn' }]],
    [
      'is not shown that of another environment',
      1,
      [issued, issued],
      [{ row: 2 }, { row: 3, environment: 'elsewhere' }],
    ],
    [
      'is shown the credential that corrects theirs',
      3,
      [revoked, revoked, issued],
      [{ row: 2 }],
      'UPDATE issuance SET corrects = 1 WHERE id = 3',
    ],
    [
      'is shown the correction, although both are valid',
      3,
      [issued, revoked, issued],
      [{ row: 2 }],
      'UPDATE issuance SET corrects = 1 WHERE id = 3',
    ],
  ])('%s', async (_, shown, states, completions, change) => {
    const { testLedger, run } = await openRun(states)
    await using __ = testLedger
    await addCompletions(testLedger.database, run, completions)
    if (change) await withoutTriggers(testLedger.database, change)
    const learner = { system: 'campus', learner: 'ada', course: 'FIRE-1', completedAt: new Date() }
    const credential = await testLedger.ledger.deliveries.shown('spring', learner)
    expect(credential?.issuanceId ?? null).toBe(shown)
  })
})

describeWithDatabase('a delivery', () => {
  const target = { pipeline: 'spring', name: 'campus' }
  /**
   * A second run has the same person as issuance 1, whose rows it skipped. Two other people have accounts of the same
   * names, in rows of the same numbers.
   */
  async function openDue(
    completions: readonly Completion[],
    skipped: readonly (Completion & { changed?: boolean })[] = [],
  ) {
    const { testLedger, run, other } = await openRun(['issued', 'issued'])
    const { database } = testLedger
    await addCompletions(database, run, [...completions, { row: 4, learner: 'zoe' }, { row: 20, learner: 'zed' }])
    await addCompletions(database, other, [{ row: 2, learner: 'zoe' }])
    const later = await testLedger.publish(recipients(1, 90))
    for (const { row, changed = false } of skipped)
      await withoutTriggers(
        database,
        `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id, changed_fields) VALUES ($1, $2, 'skipped', '[]', 1, CASE WHEN $3 THEN '["Email"]'::jsonb END)`,
        [later, row, changed],
      )
    // The later run also has a person of its own.
    await addCompletions(database, later, [...skipped, { row: 2, learner: 'new' }])
    await database.query(`INSERT INTO delivery (issuance_id, target, wanted) VALUES (1, 'campus', 'issued')`)
    return testLedger
  }
  const learnersOf = async ({ ledger }: Pick<TestLedger, 'ledger'>, system: string | null) =>
    (await ledger.deliveries.due({ ...target, learnersOf: system }, 9)).map(
      ({ completion }) => completion?.learner ?? null,
    )

  const own: Completion = { row: 2 }

  test('names the completion of its own row', async () => {
    await using testLedger = await openDue(
      [{ row: 3, learner: 'bea' }, own],
      [{ row: 20, learner: 'autumn', pipeline: 'autumn' }],
    )
    expect(await learnersOf(testLedger, 'campus')).toEqual(['ada'])
    expect(await learnersOf(testLedger, null)).toEqual(['ada'])
    expect(await learnersOf(testLedger, 'seminar')).toEqual([null])
  })

  test('names the accepted completion of any system, and every account in one system, the latest last', async () => {
    await using testLedger = await openDue(
      [own],
      [
        { row: 20, learner: 'zoe' },
        { row: 21, learner: 'eve', system: 'seminar' },
      ],
    )
    expect(await learnersOf(testLedger, null)).toEqual(['ada'])
    expect(await learnersOf(testLedger, 'campus')).toEqual(['ada', 'zoe'])
    expect(await learnersOf(testLedger, 'seminar')).toEqual(['eve'])
  })

  test('names an account by its latest completion', async () => {
    await using testLedger = await openDue(
      [own],
      [
        { row: 21, learner: 'zoe' },
        { row: 22, learner: 'ada' },
      ],
    )
    await using unordered = await openUnordered(testLedger)
    expect(await learnersOf(unordered, 'campus')).toEqual(['zoe', 'ada'])
  })

  test('names the accepted completion, or the first one, whichever is stored first', async () => {
    await using testLedger = await openDue(
      [],
      [
        { row: 20, learner: 'zoe' },
        { row: 21, learner: 'eve' },
      ],
    )
    const { database } = testLedger
    await using unordered = await openUnordered(testLedger)
    const named = async () =>
      (await unordered.ledger.deliveries.due({ ...target, learnersOf: null }, 9))[0]?.completion?.learner
    for (const table of ['run_row', 'completion'])
      await withoutTriggers(database, `UPDATE ${table} SET cells = cells WHERE row_number = 20`)
    expect(await named()).toBe('zoe')
    const { run } = await testLedger.queryOne<{ run: string }>('SELECT run_id AS run FROM issuance WHERE id = 1')
    await addCompletions(database, run, [own])
    await withoutTriggers(database, 'UPDATE run_row SET cells = cells WHERE run_id = $1', [run])
    expect(await named()).toBe('ada')
  })

  test('names no account of a row with other data, unless there is no other', async () => {
    await using testLedger = await openDue(
      [own],
      [
        { row: 20, learner: 'zoe', changed: true },
        { row: 21, learner: 'eve', system: 'seminar', changed: true },
      ],
    )
    expect(await learnersOf(testLedger, 'campus')).toEqual(['ada'])
    expect(await learnersOf(testLedger, 'seminar')).toEqual(['eve'])
  })

  test('names the completion of the credential that it corrects', async () => {
    await using testLedger = await openDue([{ row: 3, learner: 'bea' }])
    await withoutTriggers(testLedger.database, 'UPDATE issuance SET corrects = 2 WHERE id = 1')
    expect(await learnersOf(testLedger, 'campus')).toEqual(['bea'])
  })

  const isNew = async (testLedger: TestLedger, run: string) => {
    const others = { ...target, name: 'seminar', showsOne: true, learnersOf: 'seminar' }
    await testLedger.ledger.deliveries.request(run, [{ ...target, showsOne: true, learnersOf: 'campus' }, others])
    return (
      (
        await testLedger.queryOne<{ state: string }>(
          `SELECT state FROM delivery WHERE issuance_id = 1 AND target = 'campus'`,
        )
      ).state === 'pending'
    )
  }
  const laterRun = async ({ database }: TestLedger) =>
    (await database.query<{ id: string }>('SELECT id FROM run ORDER BY received_at DESC LIMIT 1')).rows[0]?.id ?? ''

  test.each<[what: string, isAgain: boolean, skipped: Completion & { changed?: boolean }, change?: string]>([
    ['with a new account of the learner', true, { row: 20, learner: 'zoe' }],
    ['with the same account', false, { row: 20 }],
    ['with an account in another system', false, { row: 20, learner: 'zoe', system: 'seminar' }],
    ['with an account and other data', false, { row: 20, learner: 'zoe', changed: true }],
    [
      'that was published before the delivery',
      false,
      { row: 20, learner: 'zoe' },
      `UPDATE delivery SET written_at = clock_timestamp() + interval '1 h'`,
    ],
    [
      'that was published at the time of the delivery',
      false,
      { row: 20, learner: 'zoe' },
      'UPDATE delivery SET written_at = (SELECT max(published_at) FROM run)',
    ],
    [
      'with an account of the same name in another system',
      true,
      { row: 20, learner: 'zoe' },
      `UPDATE completion SET system = 'seminar', learner = 'zoe' WHERE learner = 'ada'`,
    ],
  ])('is made again after a list %s: %s', async (_, isAgain, skipped, change) => {
    await using testLedger = await openDue([own], [skipped])
    await testLedger.database.query(`UPDATE delivery SET state = 'verified'`)
    if (change) await testLedger.database.query(change)
    expect(await isNew(testLedger, await laterRun(testLedger))).toBe(isAgain)
  })
})
