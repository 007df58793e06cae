// What the ledger keeps of a probe.

import { expect, test } from 'vitest'
import type { Findings } from '#src/ledger/probes.ts'
import { keepProbe } from '#src/ledger/probes.ts'
import { aCourse, otherCourse } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

const unknown = { undetermined: 'a test says so' }
function findings(ms: number): Findings {
  const lag = { found: { ms } }
  return { duplicates: unknown, echoes: unknown, spellings: unknown, lag, page: unknown, badRecipient: unknown }
}

describeWithDatabase('the probe of a course', () => {
  test('is kept with its date, and a new one replaces it', async () => {
    await using world = await openTestLedger()
    const { ledger } = world
    expect(await ledger.probeOf(aCourse)).toBeNull()
    const first = await ledger.keepProbe(aCourse, findings(1))
    expect(await ledger.probeOf(aCourse)).toEqual({
      environment: 'development',
      probedAt: first,
      findings: findings(1),
    })
    const second = await ledger.keepProbe(aCourse, findings(2))
    expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime())
    expect((await ledger.probeOf(aCourse))?.findings).toEqual(findings(2))
    expect(await world.one('SELECT count(*)::int AS probes FROM course_probe')).toEqual({ probes: 1 })
  })

  test('is that of one course and one environment', async () => {
    await using world = await openTestLedger()
    await world.ledger.keepProbe(aCourse, findings(1))
    expect(await world.ledger.probeOf(otherCourse)).toBeNull()
    expect(await world.ledger.probeOf(aCourse, 'production')).toBeNull()
  })

  test('can’t be one of production', async () => {
    await using world = await openTestLedger()
    await expect(keepProbe(world.database, 'production', aCourse, findings(1))).rejects.toThrow(/course_probe/)
  })
})
