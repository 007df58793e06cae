// Remembers which addresses have taken a message, so that a further try spares them. After a restart all of them get it
// again.

import type { Clock } from '#src/platform/time/clock.ts'
import type { MailError } from './mail-problems.ts'

/**
 * How long an address that a server does not take yet (greylisting, a full mailbox) is tried again while the other
 * addresses already have the message. The next message waits for that long, too.
 */
const deferMs = 20 * 60_000

/** An address that the server did not take. */
export type Rejection = Pick<MailError, 'responseCode' | 'response'> & { recipient?: string | undefined }

export interface TakenAddresses {
  /** The addresses that have not taken the message. */
  left(id: string): string[]
  /**
   * Notes the result of a try of a message that at least one address, now or before, has taken.
   * @returns how many have not, and whether they are to be tried again
   */
  note(id: string, rejections: readonly Rejection[]): { refused: number; isDeferred: boolean }
}

export function openTakenAddresses(addresses: readonly string[], clock: Pick<Clock, 'now'>): TakenAddresses {
  /** `deferredSince`: when an address was first deferred, in milliseconds since 1970. */
  let current: { id: string; by: Set<string>; deferredSince: number | null } | null = null
  return {
    left: (id) => addresses.filter((address) => current?.id !== id || !current.by.has(address)),
    note(id, rejections) {
      if (current?.id !== id) current = { id, by: new Set(), deferredSince: null }
      const refused = new Set(rejections.map(({ recipient }) => recipient))
      for (const address of addresses) if (!refused.has(address)) current.by.add(address)
      const now = clock.now().getTime()
      const isForNow = rejections.some(({ responseCode = 0 }) => responseCode < 500)
      if (isForNow) current.deferredSince ??= now
      const isDeferred = isForNow && now - (current.deferredSince ?? now) < deferMs
      // If the ledger cannot note the delivery, everybody gets the message again.
      if (!isDeferred) current = null
      return { refused: refused.size, isDeferred }
    },
  }
}
