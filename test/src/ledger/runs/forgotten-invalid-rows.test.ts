// Lists that name people of whom only an invalid row was forgotten, as the dry run said before.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { otherCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { forget, type Person, publish, type Rule } from './lists-of-people.ts'

const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const broken: Person = ['ada@example.org', 'Ada', 'King', 'R1', 'no date']
const nameless: Person = ['ada@example.org', 'Ada', '', 'R1', '1990-01-01']

/** Publishes a list with one row, which must be invalid, and forgets its person. @returns the erasure and the row */
async function forgetRow(ledger: TestLedger, person: Person, rule: Rule = {}) {
  const { run, outcomes } = await publish(ledger, [person], rule)
  expect(outcomes).toEqual(['invalid'])
  const row = { run: run?.id ?? '', row: 2 }
  return { erasure: await forget(ledger, { rows: [row] }, rule), row }
}

describeWithDatabase('a list that names somebody of whom only an invalid row was forgotten', () => {
  test.each<[what: string, row: Person, rule: Rule, outcome: string]>([
    ['with the row as it was', broken, {}, 'forgotten'],
    ['with a corrected row', ada, {}, 'forgotten'],
    ['with another mistake', ['ada@example.org', 'Ada', 'King', 'R1', '31 February'], {}, 'forgotten'],
    ['in another spelling', ['ADA@example.org', ' ada', 'KING', '', '1990-01-01'], {}, 'forgotten'],
    ['by another rule of identity', ada, { identity: ['Register Number'] }, 'forgotten'],
    ['and somebody else at the address', ['ada@example.org', 'Bea', 'King', 'R2', '1990-01-01'], {}, 'accepted'],
    ['and a row of somebody else at the address', ['ada@example.org', 'Bea', 'King', 'R2', 'no date'], {}, 'invalid'],
    ['for another course', ada, { course: otherCourse }, 'accepted'],
    ['with other fields that tell occasions apart', ada, { occurrence: ['Birth Date'] }, 'invalid'],
  ])('%s', async (_, row, rule, outcome) => {
    await using ledger = await openTestLedger()
    await forgetRow(ledger, broken)
    const { outcomes, lines, run } = await publish(ledger, [row], rule)
    expect(outcomes).toEqual([outcome])
    expect(lines[0]?.cells).toEqual(outcome === 'forgotten' ? [] : row)
    if (outcome !== 'forgotten') return
    expect(lines[0]).toMatchObject({
      ...{ outcome: 'skipped', issuance: null, reason: expect.stringMatching(/^forgotten on 20\d\d-\d\d-\d\d$/) },
    })
    expect(run).toMatchObject({ rows: 1, skipped: 1, invalid: 0, accepted: 0 })
  })

  test('leaves an invalid row to its pupil if the person is the teacher in it', async () => {
    await using ledger = await openTestLedger()
    const rule = { identity: [], moreTitles: ['Teacher E-Mail', 'Teacher First', 'Teacher Last'] }
    await publish(ledger, [ada], { identity: [] })
    await forget(ledger, [1], rule)
    const teacher = ['ada@example.org', 'Ada', 'King'] as const
    const pupil = ['bea@example.org', 'Bea', 'Muster', 'R2', 'no date', ...teacher] as const
    const { lines } = await publish(ledger, [pupil, [...broken, ...teacher]], rule)
    expect(lines.map(({ cells, rule, forgotten }) => [cells, rule, forgotten])).toEqual([
      [pupil, 'date', false],
      [[], null, true],
    ])
  })

  test('is the person by an exact copy only, if the name was not valid', async () => {
    await using ledger = await openTestLedger()
    await forgetRow(ledger, nameless)
    const other: Person = ['ada@example.org', 'Bea', '', 'R1', '1990-01-01']
    const { lines } = await publish(ledger, [nameless, other])
    expect(lines.map(({ forgotten, rule }) => (forgotten ? 'forgotten' : rule))).toEqual(['forgotten', 'required'])
    const corrected = await publish(ledger, [ada])
    expect(corrected.lines).toMatchObject([{ outcome: 'invalid', rule: 'forgotten_identity' }])
    expect(corrected.lines[0]?.sentence).toMatch(
      /^Somebody with .* was forgotten on 20\d\d-\d\d-\d\d, and the row .* run credsync forget --release with the address/,
    )
  })

  test('does not know the occasion of a row whose occasion was not valid', async () => {
    await using ledger = await openTestLedger()
    const rule = { occurrence: ['Birth Date'] }
    await forgetRow(ledger, broken, rule)
    const { lines } = await publish(ledger, [ada], rule)
    expect(lines).toMatchObject([{ rule: 'forgotten_identity' }])
  })

  test('issues another occasion', async () => {
    await using ledger = await openTestLedger()
    const rule = { occurrence: ['Birth Date'] }
    await forgetRow(ledger, ['ada@example.org', 'Ada', 'King', 'R1'.repeat(200), '1990-01-01'], rule)
    const later: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1991-01-01']
    expect((await publish(ledger, [ada, later], rule)).outcomes).toEqual(['forgotten', 'accepted'])
  })

  test('knows a misspelling of a forgotten person once it was forgotten as well', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1])
    const misspelled: Person = ['ada@example.org', 'Adda', 'King', 'R1', '1990-01-01']
    const { lines, run } = await publish(ledger, [misspelled])
    const name = `${run?.id.slice(0, 8)}:2`
    expect(lines).toMatchObject([{ rule: 'forgotten_identity', sentence: expect.stringContaining(`forget ${name}:`) }])
    await forget(ledger, { rows: [{ run: run?.id ?? '', row: 2 }] })
    const again: Person = ['ADA@example.org', 'Adda', 'King', 'R1', '1990-02-01']
    expect((await publish(ledger, [again, ada])).outcomes).toEqual(['forgotten', 'forgotten'])
  })

  test('is told apart from a known person with the same identity, who is skipped as before', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forgetRow(ledger, ['ada@example.org', 'Bea', 'Drake', 'R2', 'no date'])
    const bea: Person = ['ada@example.org', 'Bea', 'Drake', 'R2', '1991-01-01']
    const cy: Person = ['ada@example.org', 'Cy', 'Drake', 'R3', '1992-01-01']
    const lists = []
    for (const person of [bea, ada, cy]) lists.push(await publish(ledger, [person]))
    expect(lists.map(({ outcomes }) => outcomes)).toEqual([['forgotten'], ['skipped'], ['skipped']])
    expect(lists.map(({ lines }) => lines[0]?.cells)).toEqual([[], ada, cy])
  })

  test('is named by the erasure, because its file shows the person', async () => {
    await using ledger = await openTestLedger()
    const { erasures } = ledger.ledger
    const { erasure, row } = await forgetRow(ledger, broken)
    const { run } = await publish(ledger, [ada])
    const files = await erasures.sourceFiles(await erasures.content(erasure))
    expect(files.map((file) => file.run)).toEqual([row.run, run?.id])
    expect(await erasures.runsToClean(erasure)).toEqual([])
  })

  test('issues the person once they are released', async () => {
    await using ledger = await openTestLedger()
    const { row } = await forgetRow(ledger, broken)
    await forget(ledger, { rows: [row] }, {}, true)
    expect(await ledger.queryOne('SELECT count(*) AS kept FROM erased_trace_identifier')).toEqual({ kept: 0 })
    expect((await publish(ledger, [ada])).outcomes).toEqual(['accepted'])
  })

  test('names a learner whose completion was forgotten before it was in a list', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, queryOne } = testLedger
    await publish(testLedger, [['bea@example.org', 'Bea', 'King', 'R9', '1990-01-01']])
    const [Email, first, last] = ada
    const cells = { Email, 'First Name': first, 'Last Name': last }
    const completion = { learner: '7', course: 'FIRE-1', completedAt: new Date(0), cells }
    const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    await ledger.completions.ingest(source, [completion], 'poll')
    await forget(testLedger, { completions: [1] })
    expect(await queryOne('SELECT cells, starts_with(learner, $1) AS gone FROM completion', ['forgotten:'])).toEqual({
      ...{ cells: {}, gone: true },
    })
    expect((await publish(testLedger, [ada])).outcomes).toEqual(['forgotten'])
  })
})
