// How each verdict is translated for BullMQ, and which data must not reach it.

import { DelayedError, UnrecoverableError } from 'bullmq'
import { expect, test } from 'vitest'
import { JobFaultError, settle } from '#src/platform/queue/settle-verdict.ts'
import { done, reject, retry, snooze, type Verdict } from '#src/platform/queue/verdict.ts'
import { steppedClock } from '#test/support/clock.ts'

const clock = steppedClock(new Date('2026-03-01T12:00:00Z'))

async function settled(verdict: Verdict, storeFault?: Error) {
  const calls: unknown[] = []
  const record = async (...call: unknown[]) => {
    calls.push(call)
    if (storeFault) throw storeFault
  }
  const job = {
    moveToDelayed: (at: number, token?: string) => record('delayed until', new Date(at).toISOString(), token),
  }
  const run = { job, token: 'proof', clock }
  const thrown = await settle(verdict, run).then(
    () => null,
    (error: unknown) => error as Error,
  )
  return { calls, thrown }
}

test('done calls nothing and throws nothing', async () => {
  expect(await settled(done())).toEqual({ calls: [], thrown: null })
})

test('snooze moves the job, then reports the move', async () => {
  const { calls, thrown } = await settled(snooze(90_000, 'not-yet'))
  expect(calls).toEqual([['delayed until', '2026-03-01T12:01:30.000Z', 'proof']])
  expect(thrown).toBeInstanceOf(DelayedError)
})

test('retry passes on the class and code of an error and nothing else', async () => {
  const secret = Object.assign(new RangeError('token abc of jane@example.org'), { code: 'ETIMEDOUT', cause: 'jane' })
  const { thrown } = await settled(retry(secret))
  expect(thrown).toBeInstanceOf(JobFaultError)
  expect(thrown?.message).toBe('RangeError (ETIMEDOUT)')
  expect(JSON.stringify({ ...thrown, message: thrown?.message, stack: thrown?.stack })).not.toMatch(/jane|abc/)
  expect(thrown?.cause).toBeUndefined()
})

test.each([
  ['a string', 'jane@example.org failed'],
  ['a name that is a sentence', Object.assign(new Error(''), { name: 'Refused jane@example.org' })],
  ['a code that is data', Object.assign(new Error(''), { code: 'jane.doe' })],
  ['nothing', undefined],
])('retry with %s passes on only "Error"', async (_, error) => {
  expect((await settled(retry(error))).thrown?.message).toBe('Error')
})

test('an error that is named DelayedError does not count as a move', async () => {
  const { thrown } = await settled(retry(new DelayedError('bullmq:rateLimitExceeded')))
  expect(thrown?.name).toBe('JobFaultError')
  expect(thrown?.message).toBe('DelayedError')
})

test('reject ends the job with our code', async () => {
  const { thrown } = await settled(reject('course-not-found'))
  expect(thrown).toBeInstanceOf(UnrecoverableError)
  expect([thrown?.message, thrown?.stack]).toEqual(['course-not-found', 'course-not-found'])
})

test('a reason that is not a code is dropped', async () => {
  expect((await settled(reject('Jane Doe is missing'))).thrown?.message).toBe('unspecified')
})

test('a store that fails to move a job causes a fault without the message of its error', async () => {
  const { thrown } = await settled(snooze(1, 'not-yet'), new Error('Missing lock for job of jane'))
  expect(thrown?.name).toBe('JobFaultError')
  expect(thrown?.message).toBe('Error')
})
