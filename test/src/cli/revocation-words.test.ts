import { describe, expect, test } from 'vitest'
import { maskedItem, maskedPerson, standingOf, toDecideLines } from '#src/cli/revocation-words.ts'
import { revocationStates } from '#src/ledger/revocation.ts'
import { aRecipient, aReportItem } from '#test/support/build.ts'

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
  test('is shown masked, from the ledger and from the report', () => {
    const recipient = aRecipient(1)
    for (const shown of [maskedPerson(recipient), maskedItem(aReportItem(recipient))]) {
      expect(shown).toBe('p…@e….org, A… (4 characters), L… (8 characters)')
      for (const value of Object.values(recipient)) if (value !== 'Email') expect(shown).not.toContain(value)
    }
    expect(maskedPerson(null)).toContain('were removed')
  })
})

describe('a revocation', () => {
  test('says in every state what became of it, with its doubt', () => {
    const said = revocationStates.map((state) => standingOf({ state, status: 400, words: 'no', doubt: null }))
    expect(new Set(said).size).toBe(revocationStates.length)
    expect(said.find((each) => each.includes('refused'))).toContain('(400): no')
    expect(standingOf({ state: 'accepted', status: 200, words: null, doubt: 'the report disagrees' })).toMatch(
      /accepted.*; the report disagrees$/,
    )
  })

  test('that a person must look at names who wanted it, why it is shown, and the way on', () => {
    expect(toDecideLines(row).join('\n')).toMatch(
      /^revocation of 1111-2222 \(i42\), asked for by ada at 2026-03-01T10:00:00\.000Z: a slip\n {2}because the report proves that it was not applied\n[\s\S]*credsync revoke i42$/,
    )
    const refused = toDecideLines({
      ...row,
      state: 'refused',
      words: 'Not allowed',
      issuanceId: null,
      corrects: true,
    }).join('\n')
    expect(refused).toContain('because the service refused it: Not allowed')
    expect(refused).toContain('the new credential is not issued before')
    expect(refused).toContain('credsync revoke 1111-2222')
  })
})
