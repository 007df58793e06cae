// A fault that recurs is logged once a minute, with a count.

import { expect, test } from 'vitest'
import type { EventFields, EventName } from '#src/platform/log/events.ts'
import { sumRepeatedFaults } from '#src/platform/log/sum-repeated-lines.ts'
import { steppedClock } from '#test/support/clock.ts'

test('a repeated fault is logged immediately, and again after a minute with a count; other events are not delayed', async () => {
  const clock = steppedClock()
  const lines: [EventName, EventFields | undefined][] = []
  const log = sumRepeatedFaults({ event: (name, fields) => void lines.push([name, fields]) }, clock)
  const fail = (where: string) => log.event('fault', { where, error: 'KeysRefusedError' })
  for (let time = 0; time < 9; time++) fail('job intake')
  fail('sweep')
  for (let time = 0; time < 2; time++) log.event('run.waits', { run: 'a' })
  await clock.advance(60_000)
  for (let time = 0; time < 3; time++) fail('job intake')
  await clock.advance(3_600_000)
  fail('sweep')
  const line = (where: string, more = {}) => ['fault', { where, error: 'KeysRefusedError', ...more }]
  expect(lines).toEqual([
    line('job intake'),
    line('sweep'),
    ['run.waits', { run: 'a' }],
    ['run.waits', { run: 'a' }],
    line('job intake', { count: 9 }),
    line('sweep'),
  ])
})
