// The problems in the invalid rows of a run, counted by the database.

import { expect, test } from 'vitest'
import { violation } from '#src/domain/recipient/violation.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const broken = (row: number, field: string, rule: 'date' | 'email' | 'required', value: string) => ({
  ...aBadRow(row),
  violations: [violation({ row, column: field, field }, value, { rule, wrong: 'wrong', remedy: 'Fix it.' })],
})

describeWithDatabase('the problems of a run', () => {
  test('are counted by field and rule, most rows first, with three examples and the masked value of the first one', async () => {
    await using ledger = await openTestLedger()
    const dates = [9, 12, 7, 30].map((row) => broken(row, 'Birth Date', 'date', `row ${row}`))
    const more = [...dates, broken(8, 'Email', 'email', 'nobody'), broken(20, 'Email', 'required', '')]
    const run = await ledger.publish(recipients(2), { more })
    expect(await ledger.ledger.violations.byKind(run)).toEqual([
      { field: 'Birth Date', rule: 'date', rows: 4, examples: [7, 9, 12], value: 'r… (5 characters)' },
      { field: 'Email', rule: 'email', rows: 1, examples: [8], value: 'n… (6 characters)' },
      { field: 'Email', rule: 'required', rows: 1, examples: [20], value: null },
    ])
  })

  test('of the same kind count once for each row', async () => {
    await using ledger = await openTestLedger()
    const rowWithTwoProblems = broken(5, 'Email', 'email', 'nobody')
    const [one] = rowWithTwoProblems.violations
    const [other] = broken(5, 'Birth Date', 'date', 'soon').violations
    const run = await ledger.publish([], {
      more: [{ ...rowWithTwoProblems, violations: [one, one, other] as object[] }],
    })
    expect((await ledger.ledger.violations.byKind(run)).map(({ field, rows }) => [field, rows])).toEqual([
      ['Birth Date', 1],
      ['Email', 1],
    ])
  })

  test('may concern the whole row', async () => {
    await using ledger = await openTestLedger()
    const run = await ledger.publish([], { more: [{ ...aBadRow(2), violations: [{}] }] })
    expect(await ledger.ledger.violations.byKind(run)).toEqual([
      { field: '', rule: '', rows: 1, examples: [2], value: null },
    ])
  })

  test('include rows that give the same person two names', async () => {
    await using ledger = await openTestLedger()
    const [ada] = recipients(1)
    const bob = { ...ada, 'First Name': 'Bob' } as Record<string, string>
    const run = await ledger.publish([ada as Record<string, string>, bob])
    expect(await ledger.ledger.violations.byKind(run)).toEqual([
      { field: '', rule: 'identity_conflict', rows: 2, examples: [2, 3], value: null },
    ])
  })

  test('do not include those of other runs, and are empty if every row was accepted', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish([], { more: [aBadRow(2)] })
    const run = await ledger.publish(recipients(1))
    expect(await ledger.ledger.violations.byKind(run)).toEqual([])
  })
})
