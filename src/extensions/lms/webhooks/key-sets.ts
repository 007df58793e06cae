// Fetches the public keys of senders over the network, and caches them in memory by URL. They are fetched again when an
// event is signed with a key that is not among them.

import { createLocalJWKSet, type LocalJWKSet } from 'jose'
import { z } from 'zod'
import type { LmsHttp } from '#src/platform/http/http-client.ts'

/**
 * Fetches the JSON at `url`, and rejects when there is none. The implementation must set a deadline and a size limit,
 * and must not follow redirects.
 */
export type FetchKeys = (url: string) => Promise<unknown>

export type KeySets = ReturnType<typeof createKeySets>

/**
 * The maximum age of cached keys during an outage of the sender's key server, so that an outage does not stop events
 * immediately. A key that the sender withdraws during an outage is therefore accepted for up to a day.
 */
const maxAgeMs = 24 * 60 * 60_000
const minFetchIntervalMs = 60_000
const keysDeadlineMs = 10_000
const maxKeyBytes = 1_000_000

interface CachedKeys {
  keys: LocalJWKSet | null
  fetchedAtMs: number
  requestedAtMs: number
  pendingFetch: Promise<void> | null
}

// Checks only what jose needs to recognize keys; each key is validated when it is used.
const keySetShape = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

export function createKeySets(fetchKeys: FetchKeys) {
  const cache = new Map<string, CachedKeys>()

  async function refresh(url: string, entry: CachedKeys, nowMs: number): Promise<void> {
    if (entry.pendingFetch === null && nowMs - entry.requestedAtMs >= minFetchIntervalMs) {
      entry.requestedAtMs = nowMs
      entry.pendingFetch = fetchKeySet(url, fetchKeys).then((keys) => {
        entry.pendingFetch = null
        if (keys) Object.assign(entry, { keys, fetchedAtMs: nowMs })
      })
    }
    await entry.pendingFetch
  }

  async function keysOf(url: string, now: Date, refreshAfterMs: number): Promise<LocalJWKSet | null> {
    const nowMs = now.getTime()
    const neverRequested = { fetchedAtMs: 0, requestedAtMs: Number.NEGATIVE_INFINITY }
    const entry = cache.get(url) ?? { keys: null, pendingFetch: null, ...neverRequested }
    cache.set(url, entry)
    if (entry.keys === null || nowMs - entry.fetchedAtMs >= refreshAfterMs) await refresh(url, entry, nowMs)
    return nowMs - entry.fetchedAtMs < maxAgeMs ? entry.keys : null
  }

  return {
    /** Returns the keys of `url`, at most an hour old if the sender is reachable; null when there are none. */
    current: (url: string, now: Date) => keysOf(url, now, 60 * 60_000),
    /** Fetches the keys of `url` again, at most once a minute; in between, returns the cached keys. */
    renewed: (url: string, now: Date) => keysOf(url, now, 0),
  }
}

/**
 * Returns a function that fetches public keys over HTTP.
 * @throws Error, from the returned function, when the response has a status other than 200 or is not JSON
 */
export const fetchKeysOver =
  (send: LmsHttp['send']): FetchKeys =>
  async (url) => {
    const headers = { accept: 'application/json' }
    const answer = await send({ method: 'GET', url, headers, deadlineMs: keysDeadlineMs, maxBytes: maxKeyBytes })
    if (answer.kind !== 'answer' || answer.status !== 200) throw new Error('The keys of a sender could not be fetched.')
    return JSON.parse(answer.text)
  }

async function fetchKeySet(url: string, fetchKeys: FetchKeys): Promise<LocalJWKSet | null> {
  try {
    return createLocalJWKSet(keySetShape.parse(await fetchKeys(url)))
  } catch {
    return null
  }
}
