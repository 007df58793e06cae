// What a probe changes in how rows are followed, by tables.

import { describe, expect, test } from 'vitest'
import type { Findings } from '#src/ledger/probes.ts'
import { policyFrom } from '#src/reconcile/probe-policy.ts'

const unknown = { undetermined: 'a test says so' }
const nothing: Findings = {
  duplicates: unknown,
  echoes: unknown,
  spellings: unknown,
  lag: unknown,
  page: unknown,
  badRecipient: unknown,
}
const defaults = { pageSize: 500, graceMs: { unknown: 3_600_000, refused: 600_000 } }
const asSet = { ...defaults, duplicatesRefused: false, echoedKeys: [] }

describe('a policy', () => {
  test.each([
    ['was never probed', null],
    ['was probed without a result', nothing],
  ])('is the settings when the course %s', (_, findings) => {
    expect(policyFrom(findings, defaults)).toEqual(asSet)
  })

  test.each([
    ['a page that is capped below the setting', { largest: 200, seenBy: 'rows', capped: true }, 200],
    ['a page that is capped above the setting', { largest: 1_000, seenBy: 'pager', capped: true }, 500],
    ['a page that was full and not capped', { largest: 10, seenBy: 'rows', capped: false }, 500],
  ] as const)('asks, after %s, for the right number of rows', (_, found, pageSize) => {
    expect(policyFrom({ ...nothing, page: { found } }, defaults).pageSize).toBe(pageSize)
  })

  test.each([
    ['shorter than a third of both graces', 60_000, 3_600_000, 600_000],
    ['longer than a third of the shorter one', 300_000, 3_600_000, 900_000],
    ['longer than a third of both', 2_000_000, 6_000_000, 6_000_000],
  ])('waits, for a lag %s, three lags at least', (_, ms, long, short) => {
    expect(policyFrom({ ...nothing, lag: { found: { ms } } }, defaults).graceMs).toEqual({
      unknown: long,
      refused: short,
    })
  })

  test.each([
    ['a refusal in words', { verdict: 'refused', words: 'Already invited.' }, true],
    ['a refusal without words', { verdict: 'refused', words: '' }, false],
    ['a second one that was ignored', { verdict: 'ignored', words: 'Fine.' }, false],
    ['two credentials', { verdict: 'issued twice', words: 'Already invited.' }, false],
  ] as const)('relies on refused duplicates after %s, or does not', (_, found, expected) => {
    expect(policyFrom({ ...nothing, duplicates: { found } }, defaults).duplicatesRefused).toBe(expected)
  })

  test('names every echoed key once', () => {
    const echo = { field: 'x', match: 'exact', searchable: null } as const
    const found = ['reg_no', 'email_', 'reg_no'].map((key) => ({ ...echo, key }))
    expect(policyFrom({ ...nothing, echoes: { found } }, defaults).echoedKeys).toEqual(['email_', 'reg_no'])
  })
})
