import { expect, test } from 'vitest'
import { openDice } from './seeded-random.ts'

test('each seed, and each part of a seed, has numbers of its own', () => {
  const firstOfSeeds = Array.from({ length: 1_000 }, (_, seed) => openDice(seed).next())
  const firstOfParts = ['network', 'queue', 'service'].flatMap((part) =>
    Array.from({ length: 10 }, (_, seed) => openDice(seed).split(part).next()),
  )
  expect(new Set([...firstOfSeeds, ...firstOfParts]).size).toBe(1_030)
})

test('the same seed gives the same numbers again', () => {
  const numbers = () => Array.from({ length: 20 }, openDice(7).next)
  expect(numbers()).toEqual(numbers())
})
