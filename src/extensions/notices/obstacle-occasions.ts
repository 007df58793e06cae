// Decides which notices there should be about obstacles of workers, and about recipients whose messages fail. Pure.

import type { FailingRecipient } from '#src/extensions/notices/ledger/notice-readings.ts'
import type { OpenNotice } from '#src/extensions/notices/ledger/notice-store.ts'
import type { ObstacleRecord } from '#src/ledger/workers/obstacles.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { about, awayAfterMs, type Occasion, withoutPeople } from './facts.ts'

/** If nobody has tried for longer than this, it is no longer known whether an obstacle lasts. */
const untriedMs = 24 * 3_600_000

const noticeKinds = { keys: 'keys', service: 'away', queue: 'away', work: 'stuck', worker: 'stuck' } as const

type ObstacleKind = keyof typeof noticeKinds

const errorKinds: Record<string, ObstacleKind> = {
  KeysRefusedError: 'keys',
  ServiceUnreachableError: 'service',
  ServiceRefusedError: 'service',
  QueueUnreachableError: 'queue',
  RedisUnreachableError: 'queue',
  RedisRefusedError: 'queue',
}

function kindOf({ subject, error }: Pick<ObstacleRecord, 'subject' | 'error'>): ObstacleKind {
  if (subject.startsWith('worker ')) return 'worker'
  return errorKinds[error?.split(' ')[0] ?? ''] ?? 'work'
}

/** Work whose success the ledger shows: until then, its obstacle may last. */
const provable = ['intake', 'issue', 'reconcile', 'sweep']

/**
 * The notices that there should be about obstacles. Several kinds of work usually meet the same obstacle, which becomes
 * one notice.
 */
export function obstacleOccasions(
  obstacles: readonly ObstacleRecord[],
  open: readonly OpenNotice[],
  now: Date,
): Occasion[] {
  const kinds = [...new Set([...obstacles.map(kindOf), ...open.map(({ facts }) => facts.about as ObstacleKind)])]
  return kinds
    .filter((what) => what in noticeKinds)
    .flatMap((what) => {
      const kind = noticeKinds[what]
      const notice = open.find(({ key }) => key === `${kind} ${what}`)
      const records = lasting(what, obstacles, notice)
      const [first, ...others] = records.filter((each) => each.status === 'current' && kindOf(each) === what)
      const own = records.filter((each) => kindOf(each) === what)
      const problem = own[0] ? withoutPeople((first ?? own[0]).detail) : String(notice?.facts.problem)
      const facts = { about: what, problem, met: records.map(({ subject }) => subject).sort() }
      if (first) {
        const since = new Date(Math.min(...[first, ...others].map((each) => each.since.getTime())))
        const isYoung = what !== 'keys' && now.getTime() - since.getTime() < awayAfterMs
        return [{ ...about(kind, what, null, since), facts, ...(isYoung && { isUnsure: true }) }]
      }
      if (!notice || records.length === 0) return []
      const mayLast = ({ subject, seenAt }: ObstacleRecord) =>
        provable.includes(subject) && now.getTime() - seenAt.getTime() < untriedMs
      const fate = records.some(mayLast) ? { isUnsure: true } : { withdrawn: 'Nobody has met it again' }
      return [{ ...about(kind, what, null, notice.since), facts, ...fate }]
    })
}

/**
 * The obstacles of work that has met this one and has not been done since. Only the last obstacle of each kind of work
 * is recorded: work that now meets another one, such as a service that is away, does not show that the keys are
 * accepted.
 */
function lasting(what: ObstacleKind, obstacles: readonly ObstacleRecord[], notice: OpenNotice | undefined) {
  const met = (notice?.facts.met ?? []) as string[]
  return obstacles.filter((each) => {
    const now = kindOf(each)
    if (each.status === 'done') return false
    if (now === what) return each.status === 'current' || (notice !== undefined && each.seenAt >= notice.since)
    // A service that refuses the keys does answer.
    return met.includes(each.subject) && !(what === 'service' && now === 'keys')
  })
}

/** Mail servers defer the first try of an unknown sender for some minutes. */
const failingAfterMs = 15 * 60_000
/** Added to `remind`: a recipient who is notified of something that lasts gets a message within this time. */
const untriedAfterMs = 24 * 3_600_000

/**
 * Decides when others are notified that messages to a recipient fail: once, again while they keep failing, and no
 * longer once nothing has been sent to it for a long time.
 */
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
