// The words about revocations: masked people, the state of a revocation, and the next step.

import { describe, expect, test } from 'vitest'
import { maskedItem, maskedPerson, revocationStatus, toDecideLines } from '#src/cli/text/revocation-text.ts'
import { revocationStates } from '#src/ledger/revocations/revocation.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

const row = {
  id: 7,
  credentialId: '1111-2222',
  issuanceId: 42,
  state: 'not_applied' as const,
  by: 'ada',
  why: 'a slip',
  since: new Date('2026-03-01T10:00:00Z'),
  words: null,
  doubt: null,
  corrects: false,
}

describe('a person behind a credential', () => {
  test('is masked, both from the ledger and from the report', () => {
    const recipient = aRecipient(1)
    for (const shown of [maskedPerson(recipient), maskedItem(aReportItem(recipient))]) {
      expect(shown).toBe('p…@e….org, A… (4 characters), L… (8 characters)')
      for (const value of Object.values(recipient)) if (value !== 'Email') expect(shown).not.toContain(value)
    }
    expect(maskedPerson(null)).toContain('was removed')
  })
})

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

  test('that needs a decision is listed with who requested it, the reason, and the next step', () => {
    expect(toDecideLines(row).join('\n')).toMatch(
      /^revocation of 1111-2222 \(i42\), requested by ada at 2026-03-01T10:00:00\.000Z: a slip\n {2}because the report proves that it was not applied\n[\s\S]*credsync revoke i42$/,
    )
    const refused = toDecideLines({
      ...row,
      state: 'refused',
      words: 'Not allowed',
      issuanceId: null,
      corrects: true,
    }).join('\n')
    expect(refused).toContain('because the service refused it: Not allowed')
    expect(refused).toContain('the new credential is issued only after')
    expect(refused).toContain('credsync revoke 1111-2222')
  })
})
