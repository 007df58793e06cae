// The jobs that a process is running: their abort signals, and waiting for their end.

import { expect, test } from 'vitest'
import { RunningJobs } from '#src/platform/queue/running-jobs.ts'

test('losing a lock interrupts every run of that job and no other', () => {
  const running = new RunningJobs()
  const [first, again, other] = [running.start('a'), running.start('a'), running.start('b')]
  running.abortAfterLostLock('a')
  expect([first, again, other].map((run) => run.signal.aborted)).toEqual([true, true, false])
  expect(first.signal.reason).toMatchObject({ message: expect.stringContaining('(lock-lost)') })
})

test('idle resolves when the last run ends, and immediately if nothing runs', async () => {
  const running = new RunningJobs()
  await running.idle()
  const [one, two] = [running.start('a'), running.start('b')]
  let idle = false
  const waiting = running.idle().then(() => {
    idle = true
  })
  one.end()
  await Promise.resolve()
  expect([idle, running.size]).toEqual([false, 1])
  two.end()
  await waiting
  expect(idle).toBe(true)
})

test('the deadline interrupts every run', () => {
  const running = new RunningJobs()
  const runs = [running.start('a'), running.start('b')]
  running.interruptAll()
  for (const run of runs) expect(run.signal.reason).toMatchObject({ message: expect.stringContaining('(deadline)') })
})
