// How long `status` shows that an inbox was not scanned when it was due.

import { expect, test } from 'vitest'
import { inboxDocument, inboxLines } from '#src/issuing/descriptions/inbox-lines.ts'

const caughtUpAt = new Date('2026-11-21T06:31:00Z')
const inbox = {
  environment: 'development',
  pipeline: 'spring',
  lastDueAt: caughtUpAt,
  lookedAt: caughtUpAt,
  againAt: null,
  files: 1,
  filesAt: caughtUpAt,
  missedAt: new Date('2026-11-21T01:00:00Z'),
  missed: 1,
  caughtUpAt,
  problem: null,
  leftLying: null,
}
const scanned = 'inbox spring: scanned at 2026-11-21 06:31; 1 file taken at 2026-11-21 06:31'

test('a missed scan is shown for a week', () => {
  const linesAt = (time: string) => inboxLines([inbox], new Date(time))
  expect(linesAt('2026-11-28T06:30:59Z')).toEqual([
    `${scanned}; missed 2026-11-21 01:00, caught up at 2026-11-21 06:31 UTC`,
  ])
  expect(linesAt('2026-11-28T06:31:00Z')).toEqual([`${scanned} UTC`])
})

test('its document has every fact about the last scan', () => {
  const { environment: _, lastDueAt: _due, againAt: _again, ...facts } = inbox
  expect(inboxDocument(inbox)).toEqual(facts)
})
