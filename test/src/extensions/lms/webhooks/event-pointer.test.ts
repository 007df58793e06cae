// Resolves a pointer in the event, or in the body that contains several events.

import { expect, test } from 'vitest'
import { valueIn } from '#src/extensions/lms/webhooks/map-events.ts'

test('a pointer with a leading # is relative to the body, and any other to the event', () => {
  const body = { event: 'done', payloads: [{ event: 'inner' }] }
  expect(valueIn(body.payloads[0], body, '#/event')).toBe('done')
  expect(valueIn(body.payloads[0], body, '/event')).toBe('inner')
})
