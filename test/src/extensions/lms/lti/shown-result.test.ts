// Compares the result that a platform shows with the delivered score.

import { describe, expect, test } from 'vitest'
import { compareResult, isNewer, resultShape, type ShownResult } from '#src/extensions/lms/lti/shown-result.ts'
import { scoreAt } from './open-client.ts'

const delivered = scoreAt('2026-03-01T11:00:00.900Z', {
  scoreGiven: 10,
  scoreMaximum: 10,
  comment: 'Credential C-1: https://v.example',
})
const shown: ShownResult = { userId: '3', score: 10, maximum: 10, comment: delivered.comment, at: null }

describe('a shown result', () => {
  test.each<[string, Partial<ShownResult>, string]>([
    ['unchanged', {}, 'same'],
    ['with the points of another scale', { score: 100, maximum: 100 }, 'same'],
    ['as a fraction of one', { score: 1, maximum: 1 }, 'same'],
    ['with a maximum that does not match its points', { score: 10, maximum: 100 }, 'same'],
    ['rounded', { score: 9.99999 }, 'same'],
    ['with different white space', { comment: ` ${delivered.comment.replace(' ', '\n')} ` }, 'same'],
    ['without a comment', { comment: '' }, 'without-comment'],
    ['with another comment', { comment: 'well done' }, 'different'],
    ['with other points', { score: 9 }, 'different'],
    ['with no points', { score: 0 }, 'different'],
    ['without a grade', { score: null, comment: '' }, 'different'],
  ])('%s is considered %s', (_, changes, expected) => {
    expect(compareResult(delivered, { ...shown, ...changes })).toBe(expected)
  })

  test.each([
    ['2026-03-01T11:00:01Z', true],
    ['2026-03-01T11:00:00Z', false],
    ['2026-03-01T10:59:59Z', false],
  ])('of %s is newer: %j', (at, expected) => {
    expect(isNewer(delivered, { ...shown, at: new Date(at) })).toBe(expected)
  })

  test.each([
    [
      { userId: 7, resultScore: 0, resultMaximum: 0, comment: null, timestamp: 'soon' },
      { userId: '7', score: 0, maximum: 1, comment: '', at: null },
    ],
    [{ userId: 'a' }, { userId: 'a', score: null, maximum: 1, comment: '', at: null }],
    [
      { userId: 'a', resultScore: 1, resultMaximum: 2, comment: 'c', timestamp: '2026-11-21T00:17:12+00:00', more: 1 },
      { userId: 'a', score: 1, maximum: 2, comment: 'c', at: new Date('2026-11-21T00:17:12Z') },
    ],
  ])('is read from %j', (json, expected) => {
    expect(resultShape.parse(json)).toEqual(expected)
  })
})
