// The payloads that queues accept, and the ids of their jobs.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { parsePayload } from '#src/platform/queue/payload.ts'
import { freshJobId, queueNames, queues } from '#src/platform/queue/queues.ts'

test.each(queueNames)('the jobs of %s survive killed workers and are deleted when they are finished', (name) => {
  const { options } = queues[name]
  expect(options.maxStalledCount).toBe(10)
  expect(options.removeOnComplete).toBe(true)
  expect(options.removeOnFail).toEqual({ age: 7 * 24 * 3600, count: 1000 })
  expect(options.lockDuration).toBeGreaterThanOrEqual(60_000)
})

test('the lock of issue lasts longer than a slow call', () => {
  expect(queues.issue.options.lockDuration).toBe(300_000)
})

test.each(queueNames)('%s refuses an unknown field', (name) => {
  const { payload } = queues[name]
  for (const { shape } of 'options' in payload ? payload.options : [payload]) {
    const example = (field: z.ZodType) => (field instanceof z.ZodLiteral ? field.value : 'id-1')
    const ids = Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, example(field)]))
    expect(parsePayload(name, ids)).toEqual(ids)
    expect(() => parsePayload(name, { ...ids, name: 'Jane' })).toThrow('invalid at')
  }
})

test.each(['jane@example.org', 'Jane Doe', 'a:b', '', 7, null, 'x'.repeat(101)])('%j is not an id', (id) => {
  expect(() => parsePayload('intake', { runId: id })).toThrow('runId')
})

test('a job id contains the queue and the subject, and differs at every request', () => {
  const one = freshJobId('issue', { attemptId: '41' }, 'r1')
  expect(one).toBe('issue-41-r1')
  expect(freshJobId('issue', { attemptId: '41' }, 'r2')).not.toBe(one)
  expect(freshJobId('sweep', {}, 'r1')).toBe('sweep-all-r1')
})
