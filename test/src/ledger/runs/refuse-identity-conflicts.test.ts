// Rows of one file that give the same person two names are found in chunks of people.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { refuseIdentityConflicts } from '#src/ledger/runs/intake.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aStagedRow } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('two names of one person', () => {
  test.each([1, 2, 3, 100])('are found among many people who appear twice, in chunks of %d', async (atOnce) => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const source = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a.csv', sourceSha256: randomUUID() }
    const { run } = await ledger.runs.receive(source)
    // Every third person has two different names. All others have two spellings of the same name.
    const people = Array.from({ length: 9 }, (_, index) => index + 1)
    const rows = people.flatMap((n) => [
      aStagedRow(2 * n, aRecipient(n, { 'First Name': 'İpek' }), ledger.hasher),
      aStagedRow(2 * n + 1, aRecipient(n, { 'First Name': n % 3 === 0 ? 'Eve' : 'i̇PEK' }), ledger.hasher),
    ])
    await ledger.intake.stage(run.id, rows)
    const other = await ledger.runs.receive({ ...source, sourceSha256: randomUUID() })
    await ledger.intake.stage(
      other.run.id,
      people.map((n) => aStagedRow(n, aRecipient(n, { 'First Name': 'Zoe' }), ledger.hasher)),
    )
    await using unordered = await openUnordered(testLedger)
    await unordered.database.transaction((sql) =>
      refuseIdentityConflicts(sql, run.id, ['First Name', 'Last Name'], atOnce),
    )
    const { rows: refused } = await database.query<{ row: number; sentence: string }>(
      `SELECT row_number AS row, violations->0->>'sentence' AS sentence FROM staged_row WHERE violations IS NOT NULL ORDER BY row_number`,
    )
    expect(refused.map(({ row }) => row)).toEqual([6, 7, 12, 13, 18, 19])
    expect(refused[2]?.sentence).toContain('Rows 12, 13 give the same person different names.')
  })
})
