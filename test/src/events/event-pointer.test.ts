// Where a setting points: into the event, or into the body that holds several.

import { expect, test } from 'vitest'
import { valueIn } from '#src/events/event-pointer.ts'

test('# in front counts from the body, anything else from the event', () => {
  const body = { event: 'done', payloads: [{ event: 'inner' }] }
  expect(valueIn(body.payloads[0], body, '#/event')).toBe('done')
  expect(valueIn(body.payloads[0], body, '/event')).toBe('inner')
})
