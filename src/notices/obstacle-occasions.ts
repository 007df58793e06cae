// Decides which notices the obstacles of workers become. Several kinds of work usually meet the same obstacle, which is
// one notice. Pure.

import type { OpenNotice } from '#src/ledger/notices/notices.ts'
import type { ObstacleRecord } from '#src/ledger/workers/obstacles.ts'
import { about, awayAfterMs, type Occasion, withoutPeople } from './facts.ts'

/** How long nobody may have tried, before it no longer counts as known that an obstacle lasts. */
const untriedMs = 24 * 3_600_000

type ObstacleKind = 'keys' | 'service' | 'queue' | 'work' | 'worker'

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

export function obstacleOccasions(
  obstacles: readonly ObstacleRecord[],
  open: readonly OpenNotice[],
  now: Date,
): Occasion[] {
  return [...Map.groupBy(obstacles, kindOf)].flatMap(([what, records]) => {
    const kind = what === 'keys' ? 'keys' : what === 'service' || what === 'queue' ? 'away' : 'stuck'
    const occasionOf = (record: ObstacleRecord, since: Date) => ({
      ...about(kind, what, null, since),
      facts: { about: what, problem: withoutPeople(record.detail) },
    })
    const [first, ...others] = records.filter(({ status }) => status === 'current')
    if (first) {
      const since = new Date(Math.min(...[first, ...others].map((each) => each.since.getTime())))
      const isYoung = what !== 'keys' && now.getTime() - since.getTime() < awayAfterMs
      return [{ ...occasionOf(first, since), ...(isYoung && { isUnsure: true }) }]
    }
    const notice = open.find(({ key }) => key === `${kind} ${what}`)
    const unseen = records.filter(({ status, seenAt }) => status === 'unseen' && notice && seenAt > notice.since)
    const [last] = unseen
    if (!last) return []
    const mayLast = ({ subject, seenAt }: ObstacleRecord) =>
      provable.includes(subject) && now.getTime() - seenAt.getTime() < untriedMs
    const fate = unseen.some(mayLast) ? { isUnsure: true } : { withdrawn: 'Nobody has met it again' }
    return [{ ...occasionOf(last, last.since), ...fate }]
  })
}
