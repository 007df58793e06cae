// Builds the score for an issued credential, and for a revoked one.

import { expect, test } from 'vitest'
import { scoreOf } from '#src/extensions/lms/lti/score.ts'

test.each([
  ['issued', 'keep', 'https://v.example/1', 50, 'Credential C-1 issued: https://v.example/1'],
  ['issued', 'zero', null, 50, 'Credential C-1 issued'],
  ['revoked', 'keep', null, 50, 'Credential C-1 revoked'],
  ['revoked', 'zero', 'https://v.example/1', 0, 'Credential C-1 revoked: https://v.example/1'],
] as const)(
  'the score for a credential that is %s, with onRevocation %s and the link %s, has %i points and the comment: %s',
  (kind, onRevocation, link, points, comment) => {
    const at = new Date('2026-03-01T11:00:00Z')
    expect(scoreOf({ kind, userId: '3', credentialId: 'C-1', link, at }, { scoreMaximum: 50, onRevocation })).toEqual({
      userId: '3',
      scoreGiven: points,
      scoreMaximum: 50,
      comment,
      at,
    })
  },
)

test('a revocation in the same second as the issuance is dated to the next second, unless its time is a whole second', () => {
  const instant = (kind: 'issued' | 'revoked', text: string) =>
    scoreOf(
      { kind, userId: '3', credentialId: 'C-1', link: null, at: new Date(text) },
      { scoreMaximum: 50, onRevocation: 'keep' },
    ).at.toISOString()
  expect(instant('issued', '2026-03-01T11:00:00.250Z')).toBe('2026-03-01T11:00:00.250Z')
  expect(instant('revoked', '2026-03-01T11:00:00.900Z')).toBe('2026-03-01T11:00:01.000Z')
  expect(instant('revoked', '2026-03-01T11:00:02.000Z')).toBe('2026-03-01T11:00:02.000Z')
})
