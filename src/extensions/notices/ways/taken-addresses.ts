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
  /**
   * `left`: as nodemailer wrote them, because it writes domains its own way, and the addresses of the settings are not
   * equal to those. `deferredSince`: when an address was first deferred, in milliseconds since 1970.
   */
  let current: { id: string; left: string[]; deferredSince: number | null } | null = null
  return {
    left: (id) => (current?.id === id ? current.left : [...addresses]),
    note(id, rejections) {
      const left = rejections.flatMap(({ recipient = [] }) => recipient)
      const now = clock.now().getTime()
      const isForNow = rejections.some(({ responseCode = 0 }) => responseCode < 500)
      const before = current?.id === id ? current.deferredSince : null
      const deferredSince = before ?? (isForNow ? now : null)
      const isDeferred = isForNow && left.length > 0 && now - (deferredSince ?? now) < deferMs
      // If the ledger cannot note the delivery, everybody gets the message again.
      current = isDeferred ? { id, left, deferredSince } : null
      return { refused: rejections.length, isDeferred }
    },
  }
}
