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

test('a row that the report does not show is held after as many scans as the settings allow for its case', () => {
  expect(tuningFor({}).policy).toMatchObject({
    graceMs: { unknown: 6 * 3_600_000, refused: 600_000 },
    looks: 2,
    looksWithoutControl: 8,
    looksWithoutBatch: 48,
  })
  const reconcile = { grace: '1h', refusedGrace: '1m', looks: 3, looksWithoutControl: 5, looksWithoutBatch: 7 }
  expect(tuningFor({ reconcile }).policy).toMatchObject({
    graceMs: { unknown: 3_600_000, refused: 60_000 },
    looks: 3,
    looksWithoutControl: 5,
    looksWithoutBatch: 7,
  })
})

test('issued credentials are watched at the configured time, in UTC', () => {
  const { schedule } = tuningFor({ reconcile: { watchAt: '30 2 * * *' } }).watch
  expect(schedule.next(new Date('2026-07-01T00:00:00Z'))).toEqual(new Date('2026-07-01T02:30:00Z'))
})

test.each([
  ['10m', { firstMs: 5_000, maxMs: 600_000 }],
  ['2s', { firstMs: 2_000, maxMs: 2_000 }],
])('a maximum pause of %s starts with %o', (pause, breaker) => {
  expect(tuningFor({ invitations: { pause } }).breaker).toEqual(breaker)
})
