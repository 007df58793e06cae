// Finds the largest page size that an endpoint accepts. The maximum is not documented: a refused size is halved until
// one is accepted.

import type { Clock } from '#src/platform/time/clock.ts'
import { ServiceRefusedError } from './service-refused-error.ts'

export interface PageSize {
  /**
   * Reads a first page of `wanted` records, or of as many as the service accepts. `acceptedSize` is the size of that
   * page, or null if the service accepts no explicit size.
   * @throws any error that `read` throws; a refusal only if the size cannot be its cause, or if the service refuses the
   * smallest size as well
   */
  readFirstPage<Found>(
    wanted: number,
    read: (size: number | null) => Promise<Found>,
  ): Promise<{ found: Found; acceptedSize: number | null }>
}

/** The documented default page size, which the service must accept. */
const minSize = 10
/** The statuses of a refusal: the two documented ones, and one that is common for an unacceptable value. */
const refusalStatuses: readonly number[] = [400, 413, 422]
// A learned limit is kept in memory only. After a restart it is learned again with a few refused calls, which change
// nothing in the service.
/** How long a learned limit is used. After that a larger size is tried, because the service may have raised it. */
const learnedForMs = 24 * 3_600_000
/** How long an accepted size counts as accepted. After that the service may have lowered its limit. */
const acceptedForMs = 5 * 60_000

/** @param onSmaller called when a smaller size than wanted is accepted for the first time */
export function openPageSize(clock: Clock, onSmaller: (size: number | null) => void): PageSize {
  let learned: { size: number | null; atMs: number } | null = null
  let accepted = { size: 0, atMs: 0 }
  const isRecent = (atMs: number, forMs: number) => clock.monotonicMs() - atMs < forMs
  const startSize = (wanted: number) => {
    if (!learned || !isRecent(learned.atMs, learnedForMs)) return wanted
    return learned.size === null ? null : Math.min(wanted, learned.size)
  }
  // A size that this endpoint accepted recently is not the cause of a refusal now.
  const wasAccepted = (size: number) => size <= accepted.size && isRecent(accepted.atMs, acceptedForMs)
  return {
    async readFirstPage(wanted, read) {
      const start = startSize(wanted)
      for (let size = start; ; size = nextSmaller(size)) {
        try {
          const found = await read(size)
          const atMs = clock.monotonicMs()
          if (size !== null && !(wasAccepted(size) && size < accepted.size)) accepted = { size, atMs }
          if (size !== start) {
            learned = { size, atMs }
            onSmaller(size)
          }
          return { found, acceptedSize: size }
        } catch (error) {
          if (size === null || !isRefusal(error) || wasAccepted(size)) throw error
        }
      }
    },
  }
}

function nextSmaller(size: number | null): number | null {
  return size === null || size <= minSize ? null : Math.max(minSize, Math.floor(size / 2))
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceRefusedError && refusalStatuses.includes(error.status)
}
