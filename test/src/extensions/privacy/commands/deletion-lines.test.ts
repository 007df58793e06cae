// What `status` says of data that are still to be deleted.

import { expect, test } from 'vitest'
import { deletionLines } from '#src/extensions/privacy/commands/deletion-status.ts'
import type { OpenErasure } from '#src/extensions/privacy/ledger/erasures.ts'

const erasure = (kind: OpenErasure['kind'], day: string): OpenErasure => ({
  ...{ id: 'x', kind, requestedAt: new Date(`${day}T08:00:00Z`), revokes: false, releases: false },
  ...{ recordedAt: null, waitsFor: null, isHeldByEvent: false },
})

test('nothing is said when nothing is to be deleted', () => {
  expect(deletionLines([], [])).toEqual([])
  expect(deletionLines([erasure('retention', '2026-11-01')], [])).toEqual([])
})

test('requested erasures are counted, with the oldest', () => {
  expect(deletionLines([erasure('request', '2026-11-01')], [])).toEqual([
    '1 erasure is open, the oldest since 2026-11-01: `credsync erasures` says what it waits for',
  ])
  expect(deletionLines([erasure('request', '2026-11-01'), erasure('request', '2026-11-02')], [])[0]).toContain(
    '2 erasures are open, the oldest since 2026-11-01',
  )
})

test('what retention has left is bounded', () => {
  const left = (people: number, waitingLists: number) =>
    deletionLines([], [{ pipeline: 'spring', lists: 2, waitingLists, people }])[0]
  expect(left(1, 0)).toBe(
    'spring: older than retentionDays and still to be deleted: 2 lists, and data of 1 person who may wait for a decision or a system',
  )
  expect(left(1_000, 1)).toContain(
    '2 lists, 1 of which waits for results or another list, and data of 1000 or more people',
  )
})
