// How long a target is left alone that asks for it.

import { expect, test } from 'vitest'
import { CanvasError } from '#src/canvas/canvas-error.ts'
import type { Learning } from '#src/learning/open-learning.ts'
import { type Telling, tellTarget } from '#src/learning/tell-target.ts'
import type { DueTell } from '#src/ledger/tells.ts'

const due = {
  wanted: 'issued',
  tries: 0,
  heard: { system: 'campus', learner: '3', course: '7', completedAt: new Date(0) },
} as DueTell

test.each([
  ['an hour', 3_600_000, 3_600_000],
  ['thirty years', 999_999_999_000, 24 * 3_600_000],
])('%s', async (_, retryAfterMs, waitMs) => {
  const writeColumns = () => Promise.reject(new CanvasError('away', 'Canvas asks for patience.', { retryAfterMs }))
  const learning = { canvas: () => ({ writeColumns }) } as unknown as Learning
  const told = tellTarget({ learning } as Telling, { to: 'canvas-columns', system: 'campus', columns: {} }, due)
  expect(await told).toEqual({ kind: 'later', problem: 'Canvas asks for patience.', waitMs })
})
