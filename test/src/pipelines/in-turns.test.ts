import { expect, test } from 'vitest'
import { inTurns } from '#src/pipelines/in-turns.ts'

/** Who was served, in order, of pipelines that hold so many batches. */
async function served(pipelines: Record<string, { share?: number; holds: number }>, room: number): Promise<string> {
  const holds = Object.fromEntries(Object.entries(pipelines).map(([name, { holds }]) => [name, holds]))
  const order: string[] = []
  const waiting = Object.entries(pipelines).map(([name, { share }]) => ({ name, ...(share && { share }) }))
  await inTurns(waiting, room, async ({ name }) => {
    const left = holds[name] ?? 0
    if (left === 0) return false
    holds[name] = left - 1
    order.push(name)
    return true
  })
  return order.join('')
}

test('one batch each in turn, and the rest for whom is left', async () => {
  expect(await served({ a: { holds: 5 }, b: { holds: 1 }, c: { holds: 2 } }, 10)).toBe('abcacaaa')
})

test('as many in a round as the share says', async () => {
  expect(await served({ a: { holds: 9, share: 3 }, b: { holds: 9 } }, 8)).toBe('aaabaaab')
})

test('never more than there is room for', async () => {
  expect(await served({ a: { holds: 9, share: 3 }, b: { holds: 9 } }, 5)).toBe('aaaba')
  expect(await served({ a: { holds: 9 } }, 0)).toBe('')
  expect(await served({ a: { holds: 9, share: 3 } }, -2)).toBe('')
})
