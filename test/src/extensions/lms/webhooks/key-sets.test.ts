// When the public keys of a sender are fetched, and for how long they are used.

import { expect, test } from 'vitest'
import { createKeySets } from '#src/extensions/lms/webhooks/key-sets.ts'

const minute = 60_000
const start = new Date('2026-11-21T12:00:00Z').getTime()
const after = (ms: number) => new Date(start + ms)

/** Counts the fetches; from `failsFrom` on, they fail. */
function countedKeys(failsFrom = Number.POSITIVE_INFINITY) {
  let fetches = 0
  const keySets = createKeySets(async () => {
    if (fetches++ >= failsFrom) throw new Error('unavailable')
    return { keys: [{ kty: 'RSA' }] }
  })
  return { ...keySets, fetches: () => fetches }
}

test('keys are fetched once for an hour', async () => {
  const { current, fetches } = countedKeys()
  const first = await current('u', after(0))
  expect(first).not.toBeNull()
  expect(await current('u', after(60 * minute - 1))).toBe(first)
  expect(fetches()).toBe(1)
  expect(await current('u', after(60 * minute))).not.toBe(first)
  expect(fetches()).toBe(2)
})

test('keys are fetched again at most once a minute, by however many callers', async () => {
  const { renewed, fetches } = countedKeys()
  await Promise.all([renewed('u', after(0)), renewed('u', after(0))])
  await renewed('u', after(minute - 1))
  expect(fetches()).toBe(1)
  await Promise.all([renewed('u', after(minute)), renewed('u', after(minute))])
  expect(fetches()).toBe(2)
})

test('keys are used for a day while they cannot be fetched, and are kept for each address', async () => {
  const { current, fetches } = countedKeys(1)
  const first = await current('u', after(0))
  expect(await current('other', after(0))).toBeNull()
  expect(await current('u', after(24 * 60 * minute - 1))).toBe(first)
  expect(await current('u', after(24 * 60 * minute))).toBeNull()
  expect(fetches()).toBe(3)
})
