// What the queues take, and the ids of their jobs.

import { expect, test } from 'vitest'
import { freshJobId } from '#src/queue/job-id.ts'
import { parsePayload } from '#src/queue/payload.ts'
import { queueNames, queues } from '#src/queue/queues.ts'

test.each(queueNames)('%s survives killed workers and forgets what is done', (name) => {
  const { options } = queues[name]
  expect(options.maxStalledCount).toBe(10)
  expect(options.removeOnComplete).toBe(true)
  expect(options.removeOnFail).toEqual({ age: 7 * 24 * 3600, count: 1000 })
  expect(options.lockDuration).toBeGreaterThanOrEqual(60_000)
})

test('the lock of issue outlasts a slow send', () => {
  expect(queues.issue.options.lockDuration).toBe(300_000)
})

test.each(queueNames)('%s refuses a field it does not know', (name) => {
  const { payload } = queues[name]
  const [shape] = 'options' in payload ? payload.options : [payload]
  const ids = Object.fromEntries(Object.keys(shape?.shape ?? {}).map((field) => [field, 'id-1']))
  expect(parsePayload(name, ids)).toEqual(ids)
  expect(() => parsePayload(name, { ...ids, name: 'Jane' })).toThrow('wrong at')
})

test.each(['jane@example.org', 'Jane Doe', 'a:b', '', 7, null, 'x'.repeat(101)])('%j is not an id', (id) => {
  expect(() => parsePayload('intake', { runId: id })).toThrow('runId')
})

test('a job id names queue and subject and is fresh at every wake', () => {
  const one = freshJobId('issue', { attemptId: '41' }, 'r1')
  expect(one).toBe('issue-41-r1')
  expect(freshJobId('issue', { attemptId: '41' }, 'r2')).not.toBe(one)
  expect(freshJobId('sweep', {}, 'r1')).toBe('sweep-all-r1')
})
