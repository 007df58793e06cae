// Decides when others are notified that messages to a recipient fail: once, again while they keep failing, and no more
// when nothing has been sent to it for long. Pure.

import type { FailingRecipient } from '#src/extensions/notices/ledger/notice-readings.ts'
import type { OpenNotice } from '#src/extensions/notices/ledger/notices.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { about, type Occasion } from './facts.ts'

/** Mail servers defer the first try of an unknown sender for some minutes. */
const failingAfterMs = 15 * 60_000
/** Added to `remind`: a recipient who is notified of something that lasts gets a message within this time. */
const untriedAfterMs = 24 * 3_600_000

export function failingRecipients(
  failing: readonly FailingRecipient[],
  open: readonly OpenNotice[],
  { remind, now }: { remind: string; now: Date },
): Occasion[] {
  const untriedMs = (parseDuration(remind) ?? 0) + untriedAfterMs
  const age = (at: Date) => Math.abs(now.getTime() - at.getTime())
  return failing.map(({ since, madeAt, restedAt, ...facts }) => {
    const own = about('away', `recipient ${facts.recipient}`, null, since)
    const notice = open.find(({ key }) => key === own.key)
    // Nothing waits for it, and no other message was made: nobody knows whether the next one will arrive.
    const isUntried = notice !== undefined && restedAt !== null && madeAt < notice.remindedAt
    // The others learn of a message that was given up even if the next one is delivered.
    const isYoung = !facts.isGivenUp && age(since) < failingAfterMs
    const isPast = restedAt !== null && age(restedAt) >= untriedMs
    const fate = isPast ? { withdrawn: 'No message has been sent to it since' } : { isUnsure: isUntried || isYoung }
    return { ...own, ...fate, facts: { about: 'recipient' as const, ...facts } }
  })
}
