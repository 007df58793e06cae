// How the settings for resending and pausing become the numbers that the worker uses.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { tuningOf } from '#src/app/tuning.ts'

const tuningFor = (fileSettings: Record<string, unknown>) =>
  tuningOf({ file: parseFileSettings({ service: { environment: 'development' }, pipelines: {}, ...fileSettings }) })

test.each([
  [{}, 1],
  [{ invitations: { resends: 3 } }, 3],
  [{ invitations: { resends: 0 } }, 0],
  [{ reconcile: { resend: false } }, 0],
  [{ reconcile: { resend: false }, invitations: { resends: 3 } }, 0],
])('with %j a row is sent again automatically at most %i times', (file, resends) => {
  expect(tuningFor(file).policy.resends).toBe(resends)
})

test.each([
  ['10m', { firstMs: 5_000, maxMs: 600_000 }],
  ['2s', { firstMs: 2_000, maxMs: 2_000 }],
])('a maximum pause of %s starts with %o', (pause, breaker) => {
  expect(tuningFor({ invitations: { pause } }).breaker).toEqual(breaker)
})
