// The contract of a run's JSON document: exactly these keys, whatever the result.

import { expect } from 'vitest'
import { states } from '#src/domain/credential/state.ts'

export const documentKeys = [
  'run',
  'pipeline',
  'source',
  'rows',
  'invalid',
  'skipped',
  'accepted',
  'states',
  'balanced',
  'results',
  'invalidRows',
  'known',
  'changed',
  'notMeant',
  'forgotten',
  'problems',
]

/** Parses stdout as one run document; fails if it contains anything else, or if a key is missing. */
export function readDocument(stdout: string) {
  // One document: JSON.parse rejects a second one after it.
  const document = JSON.parse(stdout)
  expect(Object.keys(document)).toEqual(documentKeys)
  expect(Object.keys(document.states)).toEqual([...states])
  expect(document.rows).toBe(document.invalid + document.skipped + document.accepted)
  const counts: number[] = Object.values(document.states)
  expect(document.accepted).toBe(counts.reduce((sum, count) => sum + count, 0))
  return document
}
