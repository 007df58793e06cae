// Describing the findings of a probe in words.

import { describe, expect, test } from 'vitest'
import { describeFindings, probeSentence } from '#src/extensions/probe/describe-findings.ts'
import type { Findings } from '#src/ledger/probes.ts'

const echo = { match: 'exact', searchable: true } as const
const all: Findings = {
  duplicates: { found: { verdict: 'refused', words: 'Already invited.' } },
  lag: { found: { ms: 640 } },
  echoes: {
    found: [
      { ...echo, field: 'Register Number', key: 'reg_no' },
      { ...echo, field: 'Email', key: 'email_', match: 'folded', searchable: false },
      { ...echo, field: 'Name', key: 'fname', searchable: null },
    ],
  },
}

describe('the findings', () => {
  test('are described in one phrase each', () => {
    expect(describeFindings(all)).toEqual([
      'the same recipient twice is refused (“Already invited.”)',
      'visible after 0.6 s',
      'echoed: reg_no (Register Number, searchable), email_ (Email, case or spaces changed, not searchable), fname (Name)',
    ])
  })

  test('that were not determined are described with the reason', () => {
    const why = { undetermined: 'because' }
    for (const words of describeFindings({ duplicates: why, lag: why, echoes: why }))
      expect(words).toMatch(/^[a-z ]+: not determined \(because\)$/)
  })

  test.each([
    [{ ms: 90_000 }, 'visible after 1m 30s'],
    [{ ms: 0 }, 'visible after 0.0 s'],
  ])('describe a lag of %o in words', (found, words) => {
    expect(describeFindings({ ...all, lag: { found } })).toContain(words)
  })
})

test.each([
  ['90 days', 90, false],
  ['91 days', 91, true],
])('a probe is marked as old after 90 days: %s', (_, days, old) => {
  const probe = { probedAt: new Date('2026-01-01T12:00:00Z'), findings: all }
  const sentence = probeSentence(probe, new Date(probe.probedAt.getTime() + days * 86_400_000))
  expect(sentence.startsWith(`probed 2026-01-01${old ? ' (old: probe again)' : ''}: the same`)).toBe(true)
})
