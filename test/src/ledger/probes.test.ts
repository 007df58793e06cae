// How the results of probes are stored.

import { expect, test } from 'vitest'
import type { Findings } from '#src/ledger/probes.ts'
import { probeStore } from '#src/ledger/probes.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const unknown = { undetermined: 'not measured in this test' }
const findings = (ms: number): Findings => ({ duplicates: unknown, echoes: unknown, lag: { found: { ms } } })

describeWithDatabase('the probe of a course', () => {
  test('is stored with its date, and a new one replaces it', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    expect(await ledger.probes.find(aCourse)).toBeNull()
    const first = await ledger.probes.keep(aCourse, findings(1))
    expect(await ledger.probes.find(aCourse)).toEqual({
      probedAt: first,
      findings: findings(1),
    })
    const second = await ledger.probes.keep(aCourse, findings(2))
    expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime())
    expect((await ledger.probes.find(aCourse))?.findings).toEqual(findings(2))
    expect(await testLedger.queryOne('SELECT count(*)::int AS probes FROM course_probe')).toEqual({ probes: 1 })
  })

  test('belongs to one course and one environment', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.ledger.probes.keep(aCourse, findings(1))
    expect(await testLedger.ledger.probes.find(otherCourse)).toBeNull()
    expect(await probeStore(testLedger.database, 'production').find(aCourse)).toBeNull()
  })

  test('cannot be stored for production', async () => {
    await using testLedger = await openTestLedger()
    await expect(probeStore(testLedger.database, 'production').keep(aCourse, findings(1))).rejects.toThrow(
      /course_probe/,
    )
  })
})
