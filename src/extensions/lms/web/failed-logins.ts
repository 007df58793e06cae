// Tracks failed logins of senders: counts failures by system and address, delays each further refusal longer, and logs
// totals. Only refusals are delayed: a correct secret is accepted immediately, even from the same address. State is
// kept in memory.

import type { Log } from '#src/platform/log/log.ts'
import { openSums, quietMs } from '#src/platform/log/sum-repeated-lines.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export interface FailedLogins extends AsyncDisposable {
  /**
   * Counts a failure. Resolves to true when the refusal may be sent, or immediately to false if too many refusals
   * already wait.
   */
  recordFailure(from: { system: string; address: string; reason: string }): Promise<boolean>
  /** The number of senders whose failures are remembered. */
  senderCount(): number
}

/** The first few failures are answered immediately, because a sender may just have an old secret. */
const immediateFailures = 5
const firstWaitMs = 200
const maxWaitMs = 10_000
const forgetAfterMs = 15 * 60_000

/**
 * Limits on remembered senders, on refusals that wait at the same time (in total and for one sender), and on the
 * addresses that are counted for one log line.
 */
export const limits = { senders: 5_000, waiting: 100, waitingOfOne: 10, addresses: 1_000 }

export function openFailedLogins({ clock, log }: { clock: Clock; log: Log }): FailedLogins {
  const senders = new Map<string, { failures: number; atMs: number }>()
  const refusals = openRefusalLog({ clock, log })
  const closing = new AbortController()
  const waiting = new Map<string, number>()
  let totalWaiting = 0

  /**
   * Counts a failure of the sender and moves the sender to the end of the map, so that the oldest failure comes first.
   */
  function countFailure(sender: string): number {
    const nowMs = clock.monotonicMs()
    const known = senders.get(sender)
    const earlierFailures = known && nowMs - known.atMs < forgetAfterMs ? known.failures : 0
    senders.delete(sender)
    const [oldest] = senders.keys()
    if (senders.size >= limits.senders && oldest !== undefined) senders.delete(oldest)
    senders.set(sender, { failures: earlierFailures + 1, atMs: nowMs })
    return earlierFailures + 1
  }

  return {
    senderCount: () => senders.size,
    async recordFailure({ system, address, reason }) {
      refusals.add(system, reason, address)
      const sender = `${system} ${address}`
      const waitMs = refusalDelayMs(countFailure(sender))
      if (waitMs === 0) return true
      const waitingOfSender = waiting.get(sender) ?? 0
      if (waitingOfSender >= limits.waitingOfOne || totalWaiting >= limits.waiting) return false
      waiting.set(sender, waitingOfSender + 1)
      totalWaiting += 1
      await clock.sleep(waitMs, closing.signal).catch(() => {})
      totalWaiting -= 1
      const left = (waiting.get(sender) ?? 1) - 1
      if (left === 0) waiting.delete(sender)
      else waiting.set(sender, left)
      return true
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      refusals.close()
    },
  }
}

/** Returns how many milliseconds a refusal is delayed after this many failures. Pure. */
export function refusalDelayMs(failures: number): number {
  return failures <= immediateFailures ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (failures - immediateFailures - 1))
}

/**
 * Logs the first failure of a kind immediately, and those of the following minute in one line with the number of
 * addresses.
 */
function openRefusalLog({ clock, log }: { clock: Clock; log: Log }) {
  const sums = openSums(clock)
  const kinds = new Map<string, { system: string; reason: string; addresses: Set<string> }>()
  const closing = new AbortController()

  function logSum(kind: string, count: number): void {
    const refused = kinds.get(kind)
    if (!refused || count === 0) return
    const { system, reason, addresses } = refused
    log.event('inbound_event.refused', { system, reason, count, addresses: addresses.size })
    addresses.clear()
  }

  function logRest(): void {
    for (const [kind, count] of sums.rest()) logSum(kind, count)
  }

  async function logEachMinute(): Promise<void> {
    for (;;) {
      await clock.sleep(quietMs, closing.signal)
      logRest()
    }
  }

  return {
    add(system: string, reason: string, address: string): void {
      const kind = `${system} ${reason}`
      const { addresses } = kinds.get(kind) ?? { addresses: new Set() }
      if (kinds.size === 0) void logEachMinute().catch(() => {})
      kinds.set(kind, { system, reason, addresses })
      if (addresses.size < limits.addresses) addresses.add(address)
      logSum(kind, sums.count(kind))
    },
    close(): void {
      closing.abort()
      logRest()
    },
  }
}
