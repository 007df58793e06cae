// What a script may rely on in the document of a run: exactly these keys, in every ending.

import { expect } from 'vitest'
import { states } from '#src/issuance/state.ts'

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
  'gone',
  'problems',
]

/** Reads stdout as one run document; fails when it is more, less or other than that. */
export function readDocument(stdout: string) {
  // One document: JSON.parse takes no second one behind it.
  const document = JSON.parse(stdout)
  expect(Object.keys(document)).toEqual(documentKeys)
  expect(Object.keys(document.states)).toEqual([...states])
  expect(document.rows).toBe(document.invalid + document.skipped + document.accepted)
  const counts: number[] = Object.values(document.states)
  expect(document.accepted).toBe(counts.reduce((sum, count) => sum + count, 0))
  return document
}
