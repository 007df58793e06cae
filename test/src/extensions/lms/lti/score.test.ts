// Builds the score for an issued credential, and for a revoked one.

import { expect, test } from 'vitest'
import { scoreOf } from '#src/extensions/lms/lti/score.ts'

test.each([
  ['issued', 'https://v.example/1', 'Credential C-1 issued: https://v.example/1'],
  ['issued', null, 'Credential C-1 issued'],
  ['revoked', null, 'Credential C-1 revoked'],
] as const)('the score for a credential that is %s with the link %s has the comment: %s', (kind, link, comment) => {
  const at = new Date('2026-03-01T11:00:00Z')
  const score = { userId: '3', scoreGiven: 50, scoreMaximum: 50, comment, at }
  expect(scoreOf({ kind, userId: '3', credentialId: 'C-1', link, at }, 50)).toEqual(score)
})

test('a revocation in the same second as the issuance is dated to the next second, unless its time is a whole second', () => {
  const instant = (kind: 'issued' | 'revoked', text: string) =>
    scoreOf({ kind, userId: '3', credentialId: 'C-1', link: null, at: new Date(text) }, 50).at.toISOString()
  expect(instant('issued', '2026-03-01T11:00:00.250Z')).toBe('2026-03-01T11:00:00.250Z')
  expect(instant('revoked', '2026-03-01T11:00:00.900Z')).toBe('2026-03-01T11:00:01.000Z')
  expect(instant('revoked', '2026-03-01T11:00:02.000Z')).toBe('2026-03-01T11:00:02.000Z')
})
