// Rows of one file that name one person by two names, a few people at a time.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { refuseConflicts } from '#src/ledger/refuse-conflicts.ts'
import { aRecipient, aStagedRow } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

describeWithDatabase('two names of one person', () => {
  test.each([1, 2, 3, 100])('are found among many who come again, %d people at once', async (atOnce) => {
    await using test = await openTestLedger()
    const { ledger, database } = test
    const source = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a.csv', sourceSha256: randomUUID() }
    const { run } = await ledger.receiveRun(source)
    // Of every third person the names differ, of every other one their spelling.
    const people = Array.from({ length: 9 }, (_, index) => index + 1)
    const rows = people.flatMap((n) => [
      aStagedRow(2 * n, aRecipient(n, { 'First Name': 'İpek' }), ledger.hasher),
      aStagedRow(2 * n + 1, aRecipient(n, { 'First Name': n % 3 === 0 ? 'Eve' : 'i̇PEK' }), ledger.hasher),
    ])
    await ledger.stageRows(run.id, rows)
    await database.transaction((sql) => refuseConflicts(sql, run.id, ['First Name', 'Last Name'], atOnce))
    const { rows: refused } = await database.query<{ row: number; sentence: string }>(
      `SELECT row_number AS row, violations->0->>'sentence' AS sentence FROM staged_row WHERE violations IS NOT NULL ORDER BY row_number`,
    )
    expect(refused.map(({ row }) => row)).toEqual([6, 7, 12, 13, 18, 19])
    expect(refused[2]?.sentence).toContain('The rows 12, 13 name the same person by different names.')
  })
})
