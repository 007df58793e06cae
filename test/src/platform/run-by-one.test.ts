// One caller does what all want done.

import { expect, test } from 'vitest'
import { runByOne } from '#src/platform/run-by-one.ts'

/** A task whose runs end when the test says so, each with the number of the run. */
function openTask() {
  const ends: (() => void)[] = []
  return {
    begun: () => ends.length,
    end: (run: number) => ends[run - 1]?.(),
    task: () => new Promise<number>((resolve) => ends.push(() => resolve(ends.length))),
  }
}

test('who calls during a run returns at once, and one more run follows for all of them', async () => {
  const { begun, end, task } = openTask()
  const run = runByOne()
  const first = run(task)
  expect(await Promise.all([run(task), run(task), run(task)])).toEqual([0, 0, 0])
  expect(begun()).toBe(1)
  end(1)
  await expect.poll(begun).toBe(2)
  end(2)
  expect(await first).toBe(1 + 2)
  expect(begun()).toBe(2)
})

test('a run that nobody called into is the only one, and the next caller runs again', async () => {
  const run = runByOne()
  expect(await run(async () => 5)).toBe(5)
  expect(await run(async () => 7)).toBe(7)
})

test('after a failure the next caller runs again', async () => {
  const run = runByOne()
  await expect(run(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(await run(async () => 3)).toBe(3)
})
