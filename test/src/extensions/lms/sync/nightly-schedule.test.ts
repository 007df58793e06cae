// When a system is next polled in full.

import { expect, test } from 'vitest'
import { nightlyScheduleOf } from '#src/extensions/lms/sync/nightly-schedule.ts'

test.each([
  ['America/New_York', '2026-07-01T07:00:00Z'],
  ['Asia/Tokyo', '2026-06-30T18:00:00Z'],
])('a full poll at 03:00 in %s is due at that hour there', (timeZone, dueAt) => {
  const system = { name: 'campus', settings: { sweep: '0 3 * * *', timeZone } } as Parameters<
    typeof nightlyScheduleOf
  >[0]
  expect(nightlyScheduleOf(system, new Date('2026-06-30T12:00:00Z'))).toMatchObject({
    system: 'campus',
    nextAt: new Date(dueAt),
  })
})
