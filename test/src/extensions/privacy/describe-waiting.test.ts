// What is said of an erasure that is still open.

import { expect, test } from 'vitest'
import { describeWaiting } from '#src/extensions/privacy/describe-waiting.ts'
import type { Waiting, WaitingIssuances } from '#src/extensions/privacy/ledger/erasures.ts'

test.each<[WaitingIssuances['waitsFor'], string, string]>([
  ['a decision', 'is held: `credsync held` shows what to decide', 'are held: `credsync held` shows what to decide'],
  ['its withdrawal', 'is being withdrawn', 'are being withdrawn'],
  [
    'its call',
    'is on the way to the service, whose report decides',
    'are on the way to the service, whose report decides',
  ],
  ['its revocation', 'waits for its revocation', 'wait for their revocation'],
  [
    'a learning system',
    'waits for a learning system to be told, seven days at most',
    'wait for a learning system to be told, seven days at most',
  ],
])('what waits for %s is named, and counted if it is more', (waitsFor, one, many) => {
  expect(describeWaiting([{ waitsFor, count: 1, ids: [7] }])).toBe(`i7 ${one}.`)
  expect(describeWaiting([{ waitsFor, count: 5, ids: [7, 9] }])).toBe(`i7, i9 and 3 more ${many}.`)
})

test('completions are counted, and the list is named that is not read yet', () => {
  const runs = ['1a2b3c4d-0000-4000-8000-000000000000', '2a2b3c4d-0000-4000-8000-000000000000']
  expect(describeWaiting([{ waitsFor: 'its list', count: 1, runs: runs.slice(0, 1) }])).toBe(
    '1 completion is in run 1a2b3c4d, which is not read yet: `credsync status --run 1a2b3c4d` says what it waits for.',
  )
  expect(describeWaiting([{ waitsFor: 'its list', count: 3, runs }])).toMatch(
    /^3 completions are in run 1a2b3c4d and others, which are not read yet/,
  )
})

test('several reasons are one sentence, and none is nothing', () => {
  const waiting: Waiting[] = [
    { waitsFor: 'its call', count: 1, ids: [1] },
    { waitsFor: 'a decision', count: 2, ids: [2, 3] },
  ]
  expect(describeWaiting(waiting)).toMatch(/^i1 is on the way .*; i2, i3 are held.*decide\.$/)
  expect(describeWaiting([])).toBeNull()
})
