// What is said of an erasure that is still open.

import { expect, test } from 'vitest'
import { describeWaiting } from '#src/extensions/privacy/describe-waiting.ts'

test('what is waited for is named, and counted if it is more', () => {
  const runs = ['1a2b3c4d-0000-4000-8000-000000000000', '2a2b3c4d-0000-4000-8000-000000000000']
  expect(
    describeWaiting([
      { waitsFor: 'its call', count: 1, ids: [1] },
      { waitsFor: 'a decision', count: 5, ids: [2, 3] },
      { waitsFor: 'its list', count: 3, runs },
    ]),
  ).toBe(
    'i1: on the way to the service, whose report decides; i2, i3 and 3 more: held (`credsync held` shows what to decide); 3 completions in lists that are not read yet (`credsync status --run 1a2b3c4d` says why): 1a2b3c4d, 2a2b3c4d.',
  )
  expect(describeWaiting([])).toBeNull()
})
