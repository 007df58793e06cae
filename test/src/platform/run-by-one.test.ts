// One caller does what all want done.

import { expect, test } from 'vitest'
import { runByOne } from '#src/platform/limits/limit-concurrency.ts'

/** A task whose runs end when the test says so, each with the number of the run. */
function openTask() {
  const ends: (() => void)[] = []
  return {
    begun: () => ends.length,
    end: (run: number) => ends[run - 1]?.(),
    task: () => {
      const run = ends.length + 1
      return new Promise<number>((resolve) => ends.push(() => resolve(run)))
    },
  }
}

test('of those who call during a run, the first runs once more for all, and the others return at once', async () => {
  const { begun, end, task } = openTask()
  const run = runByOne()
  const first = run(task)
  const second = run(task)
  expect(await Promise.all([run(task), run(task)])).toEqual([0, 0])
  expect(begun()).toBe(1)
  end(1)
  expect(await first).toBe(1)
  await expect.poll(begun).toBe(2)
  end(2)
  expect(await second).toBe(2)
  expect(begun()).toBe(2)
})

test('nobody is kept by those who call again and again', async () => {
  const { begun, end, task } = openTask()
  const run = runByOne()
  let last = run(task)
  for (let number = 1; number <= 20; number++) {
    const next = run(task)
    end(number)
    // Who calls between two runs does not begin one beside that of the caller who waits.
    expect(await run(task)).toBe(0)
    expect(await last).toBe(number)
    await expect.poll(begun).toBe(number + 1)
    last = next
  }
})

test('a run that nobody called into is the only one, and the next caller runs again', async () => {
  const run = runByOne()
  expect(await run(async () => 5)).toBe(5)
  expect(await run(async () => 7)).toBe(7)
})

test('after a failure the caller who waits runs it, and the next caller again', async () => {
  const run = runByOne()
  const { promise: isUp, resolve } = Promise.withResolvers<void>()
  const failing = run(async () => {
    await isUp
    throw new Error('no database')
  })
  const next = run(async () => 2)
  resolve()
  await expect(failing).rejects.toThrow('no database')
  expect(await next).toBe(2)
  expect(await run(async () => 3)).toBe(3)
})
