// The words about the states of a revocation.

import { describe, expect, test } from 'vitest'
import { revocationStatus } from '#src/issuing/descriptions/revocation-status.ts'
import { revocationStates } from '#src/ledger/revocations/revocation.ts'

describe('a revocation', () => {
  test('has a sentence for each state, and includes a doubt', () => {
    const sentences = revocationStates.map((state) =>
      revocationStatus({ state, status: 400, words: 'no', doubt: null }),
    )
    expect(new Set(sentences).size).toBe(revocationStates.length)
    expect(sentences.find((sentence) => sentence.includes('refused'))).toContain('(400): no')
    expect(revocationStatus({ state: 'accepted', status: 200, words: null, doubt: 'the report disagrees' })).toMatch(
      /accepted.*; the report disagrees$/,
    )
  })
})
