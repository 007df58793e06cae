// What is told of an issued credential, and of a revoked one.

import { expect, test } from 'vitest'
import { scoreOf } from '#src/lti/score.ts'

test.each([
  ['issued', 'keep', 'https://v.example/1', 50, 'Credential C-1 issued: https://v.example/1'],
  ['issued', 'zero', null, 50, 'Credential C-1 issued'],
  ['revoked', 'keep', null, 50, 'Credential C-1 revoked'],
  ['revoked', 'zero', 'https://v.example/1', 0, 'Credential C-1 revoked: https://v.example/1'],
] as const)(
  'a credential that is %s (%s) with the link %s gives %i points and says: %s',
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

test('a credential that is revoked in the second of its issue is told as of the next one, and as of its own where that is whole', () => {
  const instant = (kind: 'issued' | 'revoked', text: string) =>
    scoreOf(
      { kind, userId: '3', credentialId: 'C-1', link: null, at: new Date(text) },
      { scoreMaximum: 50, onRevocation: 'keep' },
    ).at.toISOString()
  expect(instant('issued', '2026-03-01T11:00:00.250Z')).toBe('2026-03-01T11:00:00.250Z')
  expect(instant('revoked', '2026-03-01T11:00:00.900Z')).toBe('2026-03-01T11:00:01.000Z')
  expect(instant('revoked', '2026-03-01T11:00:02.000Z')).toBe('2026-03-01T11:00:02.000Z')
})
