// The public keys of senders, by the address they are fetched from: kept for a while, and asked for again when a key is not among them.

import { createLocalJWKSet, type LocalJWKSet } from 'jose'
import { z } from 'zod'

/**
 * Gets the JSON that `url` answers with, and rejects when there is none. Whoever hands it in sees to a deadline, a size limit, and that no
 * redirect is followed.
 */
export type FetchKeys = (url: string) => Promise<unknown>

export interface KeySets {
  /** The keys of `url`, at most an hour old where the sender can be reached; null when there are none to be had. */
  current(url: string, now: Date): Promise<LocalJWKSet | null>
  /** The keys of `url` after asking again, at most once a minute; else those that are kept. */
  renewed(url: string, now: Date): Promise<LocalJWKSet | null>
}

const keyLivesMs = 60 * 60_000
/** An outage of the sender's key server does not stop deliveries at once; keys that were withdrawn die with the day. */
const oldestMs = 24 * 60 * 60_000
const askAgainMs = 60_000

interface Kept {
  keys: LocalJWKSet | null
  fetchedMs: number
  askedMs: number
  asking: Promise<void> | null
}

// Only what jose needs to tell that these are keys; each key is judged when it is used.
const keySetShape = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

export function createKeySets(fetchKeys: FetchKeys): KeySets {
  const kept = new Map<string, Kept>()
  const of = (url: string): Kept => {
    const known = kept.get(url) ?? { keys: null, fetchedMs: 0, askedMs: Number.NEGATIVE_INFINITY, asking: null }
    kept.set(url, known)
    return known
  }
  const ask = async (url: string, one: Kept, nowMs: number): Promise<void> => {
    if (one.asking === null && nowMs - one.askedMs >= askAgainMs) {
      one.askedMs = nowMs
      one.asking = fetchSet(url, fetchKeys).then((keys) => {
        one.asking = null
        if (keys) Object.assign(one, { keys, fetchedMs: nowMs })
      })
    }
    await one.asking
  }
  const usable = (one: Kept, nowMs: number) => (nowMs - one.fetchedMs < oldestMs ? one.keys : null)
  return {
    async current(url, now) {
      const one = of(url)
      if (one.keys === null || now.getTime() - one.fetchedMs >= keyLivesMs) await ask(url, one, now.getTime())
      return usable(one, now.getTime())
    },
    async renewed(url, now) {
      const one = of(url)
      await ask(url, one, now.getTime())
      return usable(one, now.getTime())
    },
  }
}

async function fetchSet(url: string, fetchKeys: FetchKeys): Promise<LocalJWKSet | null> {
  try {
    return createLocalJWKSet(keySetShape.parse(await fetchKeys(url)))
  } catch {
    return null
  }
}
