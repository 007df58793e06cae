// What a worker warns of when it starts.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { warnOfDifferingIdentities } from '#jobs/worker/worker-registration.ts'
import { compareClocks } from '#jobs/worker.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import { steppedClock } from '#test/support/clock.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'

type CompareTools = Parameters<typeof compareClocks>[0]

test.each([
  [60_001, [['clock.apart', { ms: 60_001 }]]],
  [-60_001, [['clock.apart', { ms: -60_001 }]]],
  [60_000, []],
  [-60_000, []],
])('a service whose clock is %i ms from ours is compared once it has answered', async (offsetMs, lines) => {
  const log = openRecordedLog()
  const clock = steppedClock()
  let offset: number | null = null
  compareClocks({ issuer: { clockOffsetMs: () => offset }, clock, log } as unknown as CompareTools)
  await clock.advance(3_600_000)
  expect(log.lines).toEqual([])
  offset = offsetMs
  await clock.advance(3_600_000)
  expect(log.lines).toEqual(lines)
})

test('the clocks are no longer compared once the worker stops', async () => {
  const log = openRecordedLog()
  const clock = steppedClock()
  let offset: number | null = null
  const comparison = compareClocks({ issuer: { clockOffsetMs: () => offset }, clock, log } as unknown as CompareTools)
  comparison.stop()
  offset = 3_600_000
  await clock.advance(3_600_000)
  expect(log.lines).toEqual([])
})

test('pipelines of one course that identify people differently are named', () => {
  const log = openRecordedLog()
  const uuid = '00000000-0000-4000-8000-000000000001'
  const templates = { template: uuid, badgeTemplate: uuid, columns: { 'Primary Value': { value: 'Email' } } }
  const { pipelines } = parseFileSettings({
    service: { environment: 'development' },
    pipelines: {
      spring: { course: uuid, ...templates },
      autumn: { course: uuid, ...templates, identity: ['Register Number'] },
      winter: { courseNumber: 'W-1', ...templates, identity: ['Register Number'] },
      summer: { courseNumber: 'W-1', ...templates },
      other: { courseNumber: 'W-2', ...templates },
    },
  })
  warnOfDifferingIdentities({ pipelines: openPipelines(pipelines), log })
  expect(log.lines).toEqual([
    ['course.two_identities', { pipeline: 'autumn', label: 'spring', course: uuid }],
    ['course.two_identities', { pipeline: 'summer', label: 'winter', course: 'number W-1' }],
  ])
})
