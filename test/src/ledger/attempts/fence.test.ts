// Claims after a newer version has migrated the ledger, and while it is migrating.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LedgerTooNewError } from '#src/ledger/migrate.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

const newerMigration = `INSERT INTO migration (name) VALUES ('9999-latest.sql'), ('9998-later.sql')`
const claimOf = (attemptId: number) => ({ attemptId, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 90_000 })

async function prepareBatch(testLedger: TestLedger): Promise<number> {
  await testLedger.publish(recipients(2))
  return (await prepareOne(testLedger.ledger, 'spring', 10)) as number
}

describeWithDatabase('a ledger that a newer version has migrated', () => {
  test('refuses claims by an older version, with the reason', async () => {
    await using testLedger = await openTestLedger()
    const attempt = await prepareBatch(testLedger)
    await expect(testLedger.ledger.version.check()).resolves.toBeUndefined()
    await testLedger.database.query(newerMigration)
    const fault = await testLedger.ledger.attempts.claim(claimOf(attempt)).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(LedgerTooNewError)
    expect((fault as Error).message).toMatch(
      /newer version of credsync \(9998-later\.sql, 9999-latest\.sql\).*Start that version or a later one\./,
    )
    expect(await testLedger.ledger.version.outdated).toBe(fault)
    await expect(testLedger.ledger.version.check()).rejects.toThrow(LedgerTooNewError)
    // The batch stays prepared, for the newer version.
    expect(await testLedger.ledger.attempts.load(attempt)).not.toBeNull()
    expect(await testLedger.states()).toEqual(['pending', 'pending'])
  })

  test('refuses revocations by an older version', async () => {
    await using testLedger = await openTestLedger()
    const { revocations } = testLedger.ledger
    const { id } = await revocations.request({
      ...{ credentialId: 'C-1', issuanceId: null, correction: null, decision: { by: 'ada', why: '' } },
    })
    await testLedger.database.query(newerMigration)
    await expect(revocations.claim(id, 90_000)).rejects.toThrow(LedgerTooNewError)
    expect(await revocations.find(id)).toMatchObject({ state: 'wanted' })
  })

  test('refuses claims that were waiting for the migration', async () => {
    await using testLedger = await openTestLedger()
    const attempt = await prepareBatch(testLedger)
    const newer = await testLedger.database.session()
    await newer.query(`SELECT pg_advisory_lock(hashtextextended('credsync:migrate', 0))`)
    const claiming = testLedger.ledger.attempts.claim(claimOf(attempt)).catch((error: unknown) => error)
    await until('the claim to wait', async () => {
      const { rowCount } = await testLedger.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      )
      return rowCount === 1
    })
    await newer.query(newerMigration)
    await newer.release()
    expect(await claiming).toBeInstanceOf(LedgerTooNewError)
    expect(await testLedger.states()).toEqual(['pending', 'pending'])
  })
})
