// Whether a file stayed the same between two scans.

import { expect, test } from 'vitest'
import { SettleTracker } from '#src/files/inbox/open-inbox.ts'

const state = { size: 7, mtimeMs: 100_000, ino: 1 }

test('a file settles once it stayed the same for long enough', () => {
  const tracker = new SettleTracker(10_000)
  expect(tracker.note('list.csv', state, 101_000, 0)).toBe(false)
  expect(tracker.note('list.csv', state, 109_000, 9_999)).toBe(false)
  expect(tracker.note('list.csv', state, 109_000, 10_000)).toBe(true)
})

test.each([
  ['another size', { size: 8 }],
  ['another time of writing', { mtimeMs: 105_000 }],
  ['another inode', { ino: 2 }],
])('a file with %s starts anew', (_, change) => {
  const tracker = new SettleTracker(10_000)
  tracker.note('list.csv', state, 101_000, 0)
  expect(tracker.note('list.csv', { ...state, ...change }, 109_000, 10_000)).toBe(false)
  expect(tracker.note('list.csv', { ...state, ...change }, 109_000, 20_000)).toBe(true)
})
