// The order in which pipelines take turns.

import { expect, test } from 'vitest'
import { roundRobin } from '#src/issuing/pipelines/round-robin.ts'

/**
 * Returns the names of the pipelines in the order in which they are served. `batches` is how many batches each one has.
 */
async function served(
  pipelines: Record<string, { share?: number; batches: number }>,
  limit: number,
  mostAtOnce = 9,
): Promise<string> {
  const batches = Object.fromEntries(Object.entries(pipelines).map(([name, { batches }]) => [name, batches]))
  const order: string[] = []
  const waiting = Object.entries(pipelines).map(([name, { share }]) => ({ name, ...(share && { share }) }))
  await roundRobin(waiting, limit, async ({ name }, count) => {
    const taken = Math.min(count, mostAtOnce, batches[name] ?? 0)
    batches[name] = (batches[name] ?? 0) - taken
    order.push(name.repeat(taken))
    return taken
  })
  return order.join('')
}

test('each pipeline takes one batch per round, and the last one takes the rest', async () => {
  expect(await served({ a: { batches: 5 }, b: { batches: 1 }, c: { batches: 2 } }, 10)).toBe('abcacaaa')
})

test('a pipeline takes its configured share in each round', async () => {
  expect(await served({ a: { batches: 9, share: 3 }, b: { batches: 9 } }, 8)).toBe('aaabaaab')
})

test('the limit is never exceeded', async () => {
  expect(await served({ a: { batches: 9, share: 3 }, b: { batches: 9 } }, 5)).toBe('aaaba')
  expect(await served({ a: { batches: 9 } }, 0)).toBe('')
  expect(await served({ a: { batches: 9, share: 3 } }, -2)).toBe('')
})

test('a pipeline that cannot take all its batches at once takes more in the same round', async () => {
  expect(await served({ a: { batches: 9, share: 3 }, b: { batches: 2 } }, 9, 2)).toBe('aaabaaaba')
  expect(await served({ a: { batches: 5 } }, 9, 2)).toBe('aaaaa')
})
