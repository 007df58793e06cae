// Decides from what the ledger shows which notices are to be open now. Pure.

import type { NotifySettings } from '#config/notify-settings.ts'
import type { RecipientStatus } from '#src/ledger/notices/notice-messages.ts'
import type { NoticeReadings, SentList, Trouble, WaitingCount } from '#src/ledger/notices/notice-readings.ts'
import type { Obstacle } from '#src/ledger/workers/obstacles.ts'
import { maskPeople } from '#src/platform/log/log.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import type { Expectation } from './expected-list.ts'
import type { Facts, Occasion } from './facts.ts'

const minute = 60_000
const hour = 60 * minute

/** What does not answer usually answers again within a few minutes, after a restart or an update. */
const awayAfterMs = 5 * minute
/** The report, and a paused course, are behind after this. Both recover without a person in most cases. */
const behindAfterMs = hour
/** Mail servers defer the first try of an unknown sender for some minutes. */
const failingAfterMs = 15 * minute

export interface OccasionSources {
  readings: NoticeReadings
  /** What each pipeline expects, and since when. */
  expectations: readonly { pipeline: string; expectation: Expectation; since: Date }[]
  /** The messages of the recipients in the configuration. */
  recipients: readonly RecipientStatus[]
  settings: Pick<NotifySettings, 'behind' | 'fileNames'>
  now: Date
}

export function occasionsNow(sources: OccasionSources): Occasion[] {
  const { readings, settings, now } = sources
  return [
    ...readings.lists.map((list) => summaryOf(list, settings.fileNames)),
    ...personOccasions(readings, now),
    ...readings.refusals.map(({ pipeline, since, source, sentence, ...facts }) => ({
      ...about('refused', 'list', pipeline, since),
      facts: {
        about: 'refused' as const,
        ...facts,
        source: settings.fileNames ? source : null,
        sentence: withoutPeople(settings.fileNames ? sentence : sentence.replaceAll(source, 'the file')),
      },
    })),
    ...missingLists(sources),
    ...obstacleOccasions(readings, now),
    ...behindOccasions(readings, settings, now),
    ...readings.troubles.map((trouble) => troubleOf(trouble, now)),
    ...failingRecipients(sources),
  ]
}

function about(kind: Occasion['kind'], subject: string, pipeline: string | null, since: Date) {
  return { key: `${kind} ${pipeline === null ? subject : `${subject} ${pipeline}`}`, kind, pipeline, since }
}

/** Reasons and refusals are our own sentences, but what they quote comes from a file: a heading may name a person. */
function withoutPeople(sentence: string): string {
  return maskPeople(sentence.replace(/“[^“”]*”/g, '“…”'))
    .slice(0, 2_000)
    .toWellFormed()
}

function summaryOf(list: SentList, namesFiles: boolean): Occasion {
  const { run, pipeline, source, resultsPath, invalidPath, publishedAt, settledAt, ...counts } = list
  return {
    key: `summary ${run}`,
    kind: 'summary',
    pipeline,
    since: publishedAt,
    isFinal: settledAt !== null,
    facts: {
      about: 'summary',
      run,
      source: namesFiles ? source : null,
      results: namesFiles ? resultsPath : null,
      invalidRows: namesFiles ? invalidPath : null,
      ...counts,
      faults: [],
    },
  }
}

function personOccasions({ held, braked, changes, revocations, stops }: NoticeReadings, now: Date): Occasion[] {
  const counted = (what: 'held' | 'braked' | 'changes', found: readonly WaitingCount[]) =>
    found.map(({ pipeline, count, since }) => ({
      ...about('person', what, pipeline, since),
      facts: { about: what, count } as const,
    }))
  return [
    ...counted('held', held),
    ...counted('braked', braked),
    ...counted('changes', changes),
    ...(revocations === 0
      ? []
      : [
          {
            ...about('person', 'revocations', null, now),
            facts: { about: 'revocations', count: revocations } as const,
          },
        ]),
    ...stops.map(({ since, reason }) => ({
      ...about('person', 'stopped', null, since),
      facts: { about: 'stopped' as const, reason: withoutPeople(reason) },
    })),
  ]
}

function missingLists({ readings, expectations, now }: OccasionSources): Occasion[] {
  return expectations.flatMap(({ pipeline, expectation, since }) => {
    const lists = readings.arrivals.filter((arrival) => arrival.pipeline === pipeline)
    const missing = expectation.missing(lists, since, now)
    return missing ? [{ ...about('missing', 'list', pipeline, missing.since), facts: missing.facts }] : []
  })
}

type ObstacleKind = 'keys' | 'service' | 'queue' | 'work' | 'worker'

const errorKinds: Record<string, ObstacleKind> = {
  KeysRefusedError: 'keys',
  ServiceUnreachableError: 'service',
  ServiceRefusedError: 'service',
  QueueUnreachableError: 'queue',
  RedisUnreachableError: 'queue',
  RedisRefusedError: 'queue',
}

function kindOf({ subject, error }: Pick<Obstacle, 'subject' | 'error'>): ObstacleKind {
  if (subject.startsWith('worker ')) return 'worker'
  return errorKinds[error?.split(' ')[0] ?? ''] ?? 'work'
}

/** Several kinds of work usually meet the same obstacle, which is one notice. */
function obstacleOccasions({ obstacles, systemsAway }: NoticeReadings, now: Date): Occasion[] {
  const found = obstacles
    .filter(({ subject }) => !subject.startsWith('gate '))
    .map(({ detail, since, ...obstacle }) => ({ what: kindOf(obstacle), problem: withoutPeople(detail), since }))
  const grouped = [...Map.groupBy(found, ({ what }) => what)].flatMap(([what, [first, ...others]]) => {
    if (!first) return []
    const since = new Date(Math.min(...[first, ...others].map((each) => each.since.getTime())))
    const isOver = what !== 'keys' && now.getTime() - since.getTime() < awayAfterMs
    const kind = what === 'keys' ? 'keys' : what === 'service' || what === 'queue' ? 'away' : 'stuck'
    return isOver ? [] : [{ ...about(kind, what, null, since), facts: { about: what, problem: first.problem } }]
  })
  const systems = systemsAway
    .filter(({ since }) => since !== null && now.getTime() - since.getTime() >= awayAfterMs)
    .map(({ subject, problem, since }) => ({
      ...about('away', `system ${subject}`, null, since ?? now),
      facts: { about: 'system' as const, system: subject, problem: withoutPeople(problem) },
    }))
  return [...grouped, ...systems]
}

function behindOccasions(
  { open, reportOverdueS, pauses }: NoticeReadings,
  { behind }: Pick<NotifySettings, 'behind'>,
  now: Date,
): Occasion[] {
  const behindMs = parseDuration(behind) ?? 0
  const rows = open
    .filter(({ since }) => now.getTime() - since.getTime() >= behindMs)
    .map(({ pipeline, count, since }) => ({
      ...about('behind', 'rows', pipeline, since),
      facts: { about: 'open' as const, count },
    }))
  const reportMs = reportOverdueS * 1_000
  const report =
    reportMs < behindAfterMs
      ? []
      : [
          {
            ...about('behind', 'report', null, new Date(now.getTime() - reportMs)),
            facts: { about: 'report' } as const,
          },
        ]
  const paused = pauses
    .filter(({ since }) => now.getTime() - since.getTime() >= behindAfterMs)
    .map(({ courseUuid, reason, since }) => ({
      ...about('behind', `course ${courseUuid}`, null, since),
      facts: { about: 'paused' as const, reason: withoutPeople(reason) },
    }))
  return [...rows, ...report, ...paused]
}

function troubleOf({ subject, pipeline, problem, since }: Trouble, now: Date): Occasion {
  const [first = '', system = ''] = subject.split(' ')
  const what = first === 'system' ? 'settings' : (first as 'archive' | 'inbox' | 'results' | 'delivery')
  const facts: Facts = { about: what, subject: system || (pipeline ?? ''), problem: withoutPeople(problem) }
  return { ...about('stuck', subject, pipeline, since ?? now), facts }
}

function failingRecipients({ recipients, now }: OccasionSources): Occasion[] {
  const since = (at: Date | null) => (at === null ? null : Math.abs(now.getTime() - at.getTime()))
  return recipients.flatMap(({ recipient, failingSince, problem, lastGivenUpAt, lastGivenUpProblem }) => {
    const isFailing = (since(failingSince) ?? 0) >= failingAfterMs
    // The others learn of it even if the next message is delivered.
    const isGivenUp = (since(lastGivenUpAt) ?? hour) < hour
    if (!isFailing && !isGivenUp) return []
    return [
      {
        ...about('away', `recipient ${recipient}`, null, failingSince ?? lastGivenUpAt ?? now),
        facts: { about: 'recipient' as const, recipient, problem: (isGivenUp ? lastGivenUpProblem : problem) ?? '' },
      },
    ]
  })
}
