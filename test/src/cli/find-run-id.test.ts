// A run that a command names by the beginning of its id.

import { expect, test } from 'vitest'
import { findRunId } from '#src/cli/find-run-id.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('the beginning of a run id', () => {
  test('names a run only if no other run id begins with it', async () => {
    await using testLedger = await openTestLedger()
    const ids = ['aaaaaaaa-1111-4000-8000-000000000000', 'aaaaaaaa-2222-4000-8000-000000000000']
    for (const id of ids)
      await testLedger.database.query(
        `INSERT INTO run (id, environment, pipeline, source_name, source_path, source_sha256) VALUES ($1, 'development', 'spring', 'a', '/a', 'a')`,
        [id],
      )
    expect(await findRunId(testLedger.ledger, 'aaaaaaaa-2')).toBe(ids[1])
    await expect(findRunId(testLedger.ledger, 'aaaaaaaa')).rejects.toThrow(
      `aaaaaaaa is the beginning of several runs: ${ids.join(', ')}. Give more characters.`,
    )
    await expect(findRunId(testLedger.ledger, 'bbbbbbbb')).rejects.toThrow('The ledger has no run bbbbbbbb.')
  })
})
