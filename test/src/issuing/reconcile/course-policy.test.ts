// How the findings of a probe change the policy of a course.

import { describe, expect, test } from 'vitest'
import { coursePolicy } from '#src/issuing/reconcile/policy.ts'
import type { Findings } from '#src/ledger/probes.ts'
import { aPolicy } from '#test/support/domain-objects.ts'

const unknown = { undetermined: 'not tested' }
const nothing: Findings = { duplicates: unknown, echoes: unknown, lag: unknown }
const policy = aPolicy({ graceMs: { unknown: 3_600_000, refused: 600_000 } })

describe('the policy of a course', () => {
  test.each([
    ['was never probed', null],
    ['was probed without a result', nothing],
  ])('equals the settings if it %s', (_, findings) => {
    expect(coursePolicy(policy, findings)).toEqual(policy)
  })

  test.each([
    ['shorter than a third of both graces', 60_000, 3_600_000, 600_000],
    ['longer than a third of the shorter grace period', 300_000, 3_600_000, 900_000],
    ['longer than a third of both graces', 2_000_000, 6_000_000, 6_000_000],
  ])('has grace periods of at least three lags, for a lag %s', (_, ms, long, short) => {
    const { graceMs } = coursePolicy(policy, { ...nothing, lag: { found: { ms } } })
    expect(graceMs).toEqual({ unknown: long, refused: short })
  })
})
