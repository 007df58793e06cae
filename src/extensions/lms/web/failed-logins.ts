// Logs failed logins of senders: the first of a kind immediately, and those of the following minute in one line with
// the number of addresses. Refusals need no delay: a secret of 24 characters cannot be guessed. State is kept in
// memory.

import type { Log } from '#src/platform/log/log.ts'
import { openSums, quietMs } from '#src/platform/log/sum-repeated-lines.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export type FailedLogins = ReturnType<typeof openFailedLogins>

/** The limit on the addresses that are counted for one log line. */
const maxAddresses = 1_000

export function openFailedLogins({ clock, log }: { clock: Clock; log: Log }) {
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
    add({ system, address, reason }: { system: string; address: string; reason: string }): void {
      const kind = `${system} ${reason}`
      const { addresses } = kinds.get(kind) ?? { addresses: new Set() }
      if (kinds.size === 0) void logEachMinute().catch(() => {})
      kinds.set(kind, { system, reason, addresses })
      if (addresses.size < maxAddresses) addresses.add(address)
      logSum(kind, sums.count(kind))
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      logRest()
    },
  }
}
