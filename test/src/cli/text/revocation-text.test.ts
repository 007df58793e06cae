// A revocation that needs a decision, with the next step.

import { describe, expect, test } from 'vitest'
import { toDecideLines } from '#src/cli/commands/held.ts'

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

describe('a revocation', () => {
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
