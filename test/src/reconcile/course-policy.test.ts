// What a probe changes in how rows are judged, by a table.

import { describe, expect, test } from 'vitest'
import type { Findings } from '#src/ledger/probes.ts'
import { coursePolicy } from '#src/reconcile/course-policy.ts'
import { aPolicy } from '#test/support/build.ts'

const unknown = { undetermined: 'a test says so' }
const nothing: Findings = {
  duplicates: unknown,
  echoes: unknown,
  spellings: unknown,
  lag: unknown,
  page: unknown,
  badRecipient: unknown,
}
const policy = aPolicy({ graceMs: { unknown: 3_600_000, refused: 600_000 } })

describe('the policy of a course', () => {
  test.each([
    ['was never probed', null],
    ['was probed without a result', nothing],
  ])('is the settings when it %s', (_, findings) => {
    expect(coursePolicy(policy, findings)).toEqual(policy)
  })

  test.each([
    ['shorter than a third of both graces', 60_000, 3_600_000, 600_000],
    ['longer than a third of the shorter one', 300_000, 3_600_000, 900_000],
    ['longer than a third of both', 2_000_000, 6_000_000, 6_000_000],
  ])('waits, for a lag %s, three lags at least', (_, ms, long, short) => {
    const { graceMs } = coursePolicy(policy, { ...nothing, lag: { found: { ms } } })
    expect(graceMs).toEqual({ unknown: long, refused: short })
  })
})
