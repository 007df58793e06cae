// Rows that were skipped as somebody who is known, but have another name: at a shared address they may be somebody else's,
// who is found, handed out and forgotten apart from the person of the credential.

import { expect, test } from 'vitest'
import { comparisonOf, forget, type Person, publish } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const ada: Person = ['shared@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const wilhelmina: Person = ['shared@example.org', 'Wilhelmina', 'Drake', 'R-55512345', '1991-01-01']
const nobody = { text: '', issuance: null, row: null, hashes: [], values: [] }

async function openSkipped() {
  const testLedger = await openTestLedger()
  await publish(testLedger, [ada])
  const { run, outcomes } = await publish(testLedger, [wilhelmina])
  expect(outcomes).toEqual(['skipped'])
  const find = async (who: object) =>
    (await testLedger.ledger.erasures.find([{ ...nobody, ...who }], comparisonOf()))[0]
  return Object.assign(testLedger, { row: { run: run?.id ?? '', row: 2 }, find })
}

const cellsOf = async ({ database }: TestLedger) =>
  (
    await database.query<{ cells: string[] }>(
      'SELECT cells FROM run_row ORDER BY issuance_id, changed_fields NULLS FIRST',
    )
  ).rows.map(({ cells }) => cells[1] ?? 'empty')

/** A completion whose row is this one. */
async function addCompletion(
  { ledger, database }: TestLedger,
  learner: string,
  { run, row }: { run: string; row: number },
  cells: Readonly<Record<string, string>> = { Email: 'x' },
) {
  const of = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
  await ledger.completions.ingest(of, [{ learner, course: 'FIRE-1', completedAt: new Date(0), cells }], 'poll')
  await database.query(`UPDATE completion SET state = 'taken', run_id = $2, row_number = $3 WHERE learner = $1`, [
    learner,
    run,
    row,
  ])
}

describeWithDatabase('a row that was skipped with another name', () => {
  test('is exported alone, and not with the person of the credential', async () => {
    await using ledger = await openSkipped()
    const found = await ledger.find({ row: ledger.row })
    expect(found).toMatchObject({ ids: [], rows: [ledger.row], leftOut: { ids: [1] } })
    if (!found) return
    const data = await ledger.ledger.erasures.personData(found, { comparisonOf: comparisonOf() })
    expect(data.rows.map(({ cells }) => cells)).toEqual([wilhelmina])
    expect([data.issuances, data.rowsLeftOut]).toEqual([[], []])
  })

  test('is forgotten alone, and recognized in the next list, which still has the other', async () => {
    await using ledger = await openSkipped()
    await forget(ledger, (await ledger.find({ row: ledger.row })) ?? [])
    expect(await cellsOf(ledger)).toEqual(['Ada', 'empty'])
    const { lines, outcomes } = await publish(ledger, [wilhelmina, ada])
    expect(outcomes).toEqual(['forgotten', 'skipped'])
    expect(lines.map(({ cells }) => cells)).toEqual([[], ada])
  })

  test('is found by a value that only it has', async () => {
    await using ledger = await openSkipped()
    expect(await ledger.find({ values: ['r-55512345'] })).toMatchObject({ ids: [], leftOut: { rows: [ledger.row] } })
    const [, ...rest] = wilhelmina
    const issued = await publish(ledger, [['w@example.org', ...rest]])
    const issuance = issued.lines[0]?.issuance
    expect(await ledger.find({ issuance })).toMatchObject({ ids: [issuance], rows: [], leftOut: { ids: [], rows: [] } })
    await publish(ledger, [['shared@example.org', 'Wilhelmina', 'Drake', 'w@example.org', '1991-01-01']])
    // The number may be somebody else's: only fields of addresses and numbers say whose row it is.
    expect(await ledger.find({ issuance })).toMatchObject({ rows: [], leftOut: { rows: [{ row: 2 }] } })
  })

  test('is forgotten with the learner to whom it belongs', async () => {
    await using ledger = await openSkipped()
    await addCompletion(ledger, 'two', ledger.row)
    const found = await ledger.find({ text: 'two' })
    expect(found).toMatchObject({ ids: [], rows: [ledger.row], completions: [1] })
    await forget(ledger, { completions: [1] })
    expect(await cellsOf(ledger)).toEqual(['Ada', 'empty'])
    const [, ...rest] = wilhelmina
    expect((await publish(ledger, [['shared@example.org', ...rest]])).outcomes).toEqual(['forgotten'])
  })

  test('is forgotten with the learner, and recognized, although its list has expired', async () => {
    await using ledger = await openSkipped()
    const [shared, first, last, register] = wilhelmina
    const names = { 'First Name': first, 'Last Name': last }
    await addCompletion(ledger, 'two', ledger.row, { Email: shared, ...names, 'Register Number': register })
    // Nobody decides about the difference any more.
    await ledger.database.query(`UPDATE run_row SET cells = '[]', change_over = true WHERE changed_fields IS NOT NULL`)
    expect(await ledger.find({ text: 'two' })).toMatchObject({ ids: [], completions: [1] })
    await forget(ledger, { completions: [1] })
    expect(
      await ledger.queryOne('SELECT count(*) AS traces, count(identity_hash) AS identities FROM erased_trace'),
    ).toEqual({ traces: 1, identities: 0 })
    expect((await publish(ledger, [wilhelmina, ada])).outcomes).toEqual(['forgotten', 'skipped'])
  })

  test('needs nothing more to be recognized if the completion is the person’s', async () => {
    await using ledger = await openSkipped()
    const { run } = await publish(ledger, [[...ada.slice(0, 4), '1990-02-02'] as Person])
    await addCompletion(ledger, 'one', { run: run?.id ?? '', row: 2 })
    await ledger.database.query(`UPDATE run_row SET cells = '[]', change_over = true WHERE changed_fields IS NOT NULL`)
    await forget(ledger, [1])
    expect(await ledger.queryOne('SELECT count(*) AS traces FROM erased_trace')).toEqual({ traces: 0 })
    expect(await ledger.queryOne('SELECT cells FROM completion')).toEqual({ cells: {} })
  })

  test('is the person’s if the name is that of the credential', async () => {
    await using ledger = await openSkipped()
    const { run } = await publish(ledger, [[...ada.slice(0, 4), '1990-02-02'] as Person])
    const row = { run: run?.id ?? '', row: 2 }
    await addCompletion(ledger, 'other-account', row)
    for (const who of [{ row }, { text: 'other-account' }])
      expect(await ledger.find(who)).toMatchObject({ ids: [1], rows: [], leftOut: { rows: [ledger.row] } })
  })

  test('is not the person’s after the data of the credential are gone either', async () => {
    await using ledger = await openSkipped()
    await forget(ledger, [1])
    expect(await ledger.find({ row: ledger.row })).toMatchObject({ ids: [], rows: [ledger.row] })
    await forget(ledger, { rows: [ledger.row] })
    expect(await cellsOf(ledger)).toEqual(['empty', 'empty'])
  })
})
