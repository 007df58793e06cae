// When a completion whose row was refused is tried again: after its data, its event, the credential that it conflicted
// with, or the rows that it was refused with have changed. Beside it are rows of other runs, and others of its run.

import { expect, test } from 'vitest'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const source = { pipeline: 'spring', system: 'campus', renewAfterMs: null }
const completed = { course: 'F', completedAt: new Date('2026-03-01'), cells: {} }

const ingest = ({ completions }: WholeLedger, learner: string, more: object = {}) =>
  completions.ingest(source, [{ ...completed, learner, ...more }], 'poll')

/** Refuses the rows of one run, each for this rule; with null, the row is accepted. */
async function refuse(ledger: WholeLedger, rules: Record<string, string | null>, rulesHash = 'old'): Promise<string> {
  for (const learner of Object.keys(rules)) await ingest(ledger, learner)
  const run = (await ledger.completions.createRun('spring')) ?? ''
  const rows = Object.entries(rules).map(([learner, rule], index) => {
    const violation = { column: '', field: '', rule, value: '', sentence: 'No.', known: 1 }
    return rule === null
      ? aStagedRow(index + 2, aRecipient(Number(learner)), ledger.hasher)
      : { ...aBadRow(index + 2), violations: [violation] }
  })
  await ledger.intake.stage(run, rows)
  const publication = { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [], rulesHash }
  await ledger.intake.publish(run, publication, rows.length)
  return run
}

/** The learners whose completions are ready for the next run. */
async function ready({ database }: TestLedger): Promise<string> {
  const { rows } = await database.query<{ learner: string }>(
    `SELECT learner FROM completion WHERE state = 'ready' ORDER BY id`,
  )
  return rows.map(({ learner }) => learner).join(' ')
}

describeWithDatabase('a completion that was refused because of a credential', () => {
  /** Learner 3, beside one of the same run and one whose row has the same number in another run. */
  async function openRefused(): Promise<TestLedger> {
    const testLedger = await openTestLedger()
    await testLedger.publish(recipients(3))
    const { ledger } = testLedger
    await refuse(ledger, { 4: 'other_learner' })
    await refuse(ledger, { 3: 'other_learner', 5: 'other_learner' })
    return testLedger
  }
  const ofLearner3 = `(run_id, row_number) = (SELECT run_id, row_number FROM completion WHERE learner = '3')`
  const corrected = (known: number) => `UPDATE issuance SET corrects = ${known} WHERE id = 2`
  const sentAgain = (more: { issuance?: number; state?: string; evidence?: string; at?: string } = {}) => {
    const { issuance = 1, state = 'pending', evidence = '{"fields": []}', at = 'clock_timestamp()' } = more
    return `INSERT INTO history (issuance_id, from_state, to_state, event, evidence, at) SELECT ${issuance}, 'failed', '${state}', 'sent again', '${evidence}', ${at}`
  }
  const published = `(SELECT max(published_at) FROM run)`

  test.each<[what: string, isAgain: boolean, changes: string[]]>([
    ['nothing has changed', false, []],
    ['the credential was corrected', true, [corrected(1)]],
    ['another credential was corrected', false, [corrected(3)]],
    ['the credential was sent again with other data', true, [sentAgain()]],
    ['another credential was sent again', false, [sentAgain({ issuance: 2 })]],
    ['the credential moved to another state', false, [sentAgain({ state: 'held' })]],
    ['the credential was sent again as it was', false, [sentAgain({ evidence: '{}' })]],
    ['the credential had been sent again before', false, [sentAgain({ at: published })]],
    [
      'the row breaks another rule',
      false,
      [
        corrected(1),
        `UPDATE run_row SET violations = jsonb_set(violations, '{0,rule}', '"required"') WHERE ${ofLearner3}`,
      ],
    ],
  ])('and is reported again, if %s: %s', async (_, isAgain, changes) => {
    await using testLedger = await openRefused()
    for (const change of changes) await withoutTriggers(testLedger.database, change)
    expect(await ingest(testLedger.ledger, '3')).toMatchObject({ again: isAgain ? 1 : 0 })
  })

  test.each<[what: string, isAgain: boolean, change: string]>([
    ['was refused', true, ''],
    ['was not refused by these rules', false, `UPDATE completion SET refused_by = NULL WHERE learner = '3'`],
    ['was accepted', false, `UPDATE run_row SET outcome = 'accepted', issuance_id = 1 WHERE ${ofLearner3}`],
  ])('and comes with other data, is tried again if it %s: %s', async (_, isAgain, change) => {
    await using testLedger = await openRefused()
    if (change) await withoutTriggers(testLedger.database, change)
    const counts = await ingest(testLedger.ledger, '3', { cells: { email: 'a' } })
    expect(counts).toMatchObject({ again: isAgain ? 1 : 0 })
  })
})

describeWithDatabase('completions that were refused together', () => {
  test.each<[what: string, learner: string, again: string]>([
    ['if the data of one change, and no others', '3', '3 4 6'],
    ['only if rows were compared', '5', '5'],
  ])('are tried again together, %s', async (_, learner, again) => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const all = { 3: 'identity_conflict', 4: 'identity_conflict', 5: 'required', 6: 'unique', 10: 'unique' }
    await refuse(ledger, all)
    await refuse(ledger, { 7: 'unique', 8: 'unique', 9: 'unique' })
    await database.query(`UPDATE completion SET refused_by = NULL WHERE learner = '10'`)
    expect(await ingest(ledger, learner, { cells: { email: 'a' } })).toMatchObject({ again: 1 })
    expect(await ready(testLedger)).toBe(again)
  })

  test('have the hash of the rules of their run', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await refuse(ledger, { 3: 'required', 4: null }, 'one')
    await refuse(ledger, { 5: 'required' }, 'two')
    const { rows } = await database.query('SELECT learner, refused_by AS by FROM completion ORDER BY id')
    expect(rows).toEqual([
      { learner: '3', by: 'one' },
      { learner: '4', by: null },
      { learner: '5', by: 'two' },
    ])
    // Rows that were not refused are not compared with the rules.
    await database.query(`UPDATE completion SET refused_by = NULL`)
    await ledger.completions.compareNow()
    await database.query(`UPDATE completion SET refused_by = 'two' WHERE learner = '5'`)
    expect(await ledger.completions.takeToCompare()).toEqual([])
    await database.query(`UPDATE completion SET refused_by = NULL, compared_at = '-infinity'`)
    expect(await ledger.completions.takeToCompare()).toEqual([])
  })

  test('are processed again from their events, if these are still stored', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const keys = ['0a', '0b', '0c']
    await ledger.inboundEvents.keep(
      keys.map((key) => ({ system: 'campus', key, headers: {}, body: Buffer.from('{}') })),
    )
    await database.query(
      `UPDATE inbound_event SET state = 'processed', processed_at = now(), body = CASE WHEN id <> 2 THEN body END`,
    )
    await refuse(ledger, { 3: 'required', 4: 'required', 5: 'required' })
    await refuse(ledger, { 6: 'required' }, 'new')
    await database.query(
      `UPDATE completion SET event_id = CASE learner WHEN '3' THEN 1 WHEN '4' THEN 2 WHEN '6' THEN 3 END`,
    )
    expect(await ledger.completions.tryAgain('spring', 'new')).toEqual(['campus'])
    expect(await ready(testLedger)).toBe('4 5')
    expect((await database.query('SELECT id, state FROM inbound_event ORDER BY id')).rows).toEqual([
      { id: 1, state: 'new' },
      { id: 2, state: 'processed' },
      { id: 3, state: 'processed' },
    ])
  })
})

describeWithDatabase('completions that are reported twice at the same time', () => {
  test('count once', async () => {
    await using testLedger = await openTestLedger()
    const learners = Array.from({ length: 50 }, (_, index) => `${index}`)
    const report = (day: number) =>
      testLedger.ledger.completions.ingest(
        source,
        learners.map((learner) => ({ ...completed, learner, completedAt: new Date(Date.UTC(2026, 0, day)) })),
        'poll',
      )
    const counts = await Promise.all([report(1), report(2)])
    expect(counts.map(({ fresh }) => fresh).toSorted((a, b) => a - b)).toEqual([0, 50])
  })
})
