// Decides from what the ledger shows which notices are to be open now. Pure.

import type {
  NoticeReadings,
  Reading,
  SystemTrouble,
  Trouble,
  WaitingCount,
} from '#src/extensions/notices/ledger/notice-readings.ts'
import type { OpenNotice } from '#src/extensions/notices/ledger/notice-store.ts'
import type { NotifySettings } from '#src/extensions/notices/settings/notify-settings.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { about, awayAfterMs, type Facts, factsOf, type Occasion, withoutPeople } from './facts.ts'
import { type ExpectationSources, listOccasions, missingLists } from './list-occasions.ts'
import { failingRecipients, obstacleOccasions } from './obstacle-occasions.ts'

const hour = 3_600_000

/** The report, and a paused course, are behind after this. Both recover without a person in most cases. */
const behindAfterMs = hour

export interface OccasionSources extends ExpectationSources {
  /** The pipelines of the configuration. */
  pipelines: readonly string[]
  settings: Pick<NotifySettings, 'behind' | 'remind' | 'fileNames'> & { to: object }
  /** Whether somebody wants summaries. */
  summarizes: boolean
}

/** The law allows a month. What an erasure waits for may need people, who need time. */
const lateErasureMs = 21 * 24 * hour

/** Contains an entry for every open notice that is not known to have ended. */
export function occasionsNow(sources: OccasionSources): Occasion[] {
  const { readings, open, settings, now } = sources
  const found = [
    ...listOccasions(readings, settings.fileNames, now),
    ...personOccasions(readings, now),
    ...(isUnread(readings, 'arrivals') ? [] : missingLists(sources)),
    ...obstacleOccasions(readings.obstacles, open, now),
    ...readings.systems.flatMap((system) => systemOccasions(system, now)),
    ...behindOccasions(readings, settings, now),
    ...readings.troubles.map((trouble) => troubleOf(trouble, now)),
    ...stalledWorkers(readings),
    ...lateErasures(readings, now),
    ...failingRecipients(readings.failing, open, { remind: settings.remind, now }),
  ]
  const current = new Set(found.map(({ key }) => key))
  return [
    ...found,
    ...open.flatMap((notice) => {
      const fate = current.has(notice.key) ? null : fateOf(notice, sources)
      return fate ? [{ ...notice, kind: notice.kind as Occasion['kind'], facts: factsOf(notice), ...fate }] : []
    }),
  ]
}

/** The reading that shows whether something is still the case. */
const readingOf: Record<Facts['about'], Reading | null> = {
  ...{
    summary: 'lists',
    refused: 'refusals',
    refusal: 'refusedLists',
    refusedLists: null,
    missing: 'arrivals',
    silent: 'arrivals',
  },
  ...{ held: 'held', braked: 'braked', changes: 'changes', revocations: 'revocations', stopped: 'stops' },
  ...{ service: 'obstacles', queue: 'obstacles', keys: 'obstacles', work: 'obstacles', worker: 'obstacles' },
  ...{ system: 'systems', settings: 'systems', open: 'open', report: 'report', paused: 'pauses' },
  ...{ archive: 'troubles', inbox: 'troubles', results: 'troubles', delivery: 'troubles' },
  ...{ recipient: 'failing', stalled: 'stalledWorkers', erasure: 'erasures', database: null, test: null },
}

const isUnread = ({ unread }: NoticeReadings, reading: Reading | null) =>
  unread.some((each) => each.reading === reading)

const removed = 'It is not in the configuration any more'
const changed = 'Its setting has changed'

/** What becomes of an open notice that nothing was read about; null if what it is about has ended. */
function fateOf(
  notice: OpenNotice,
  { readings, expectations, pipelines, settings, summarizes }: OccasionSources,
): Pick<Occasion, 'isUnsure' | 'withdrawn'> | null {
  const facts = factsOf(notice)
  if (isUnread(readings, readingOf[facts.about])) return { isUnsure: true }
  switch (facts.about) {
    // Its list is not at rest.
    case 'summary':
      return summarizes ? { isUnsure: true } : { withdrawn: changed }
    case 'missing':
    case 'silent': {
      const expected = expectations.find(({ pipeline }) => pipeline === notice.pipeline)
      if (!expected) return { withdrawn: 'Nothing is expected any more' }
      return expected.since > notice.openedAt ? { withdrawn: changed } : null
    }
    case 'refused':
      return pipelines.includes(notice.pipeline ?? '') ? null : { withdrawn: removed }
    case 'recipient':
      return Object.hasOwn(settings.to, facts.recipient) ? null : { withdrawn: removed }
    case 'revocations':
      // What had been past before was never part of the notice.
      return (readings.revocations.pastAt ?? 0) > notice.openedAt ? { withdrawn: 'It was refused 30 days ago' } : null
    case 'open':
      return facts.behind === settings.behind ? null : { withdrawn: changed }
    case 'report':
      if (readings.report.readAt && readings.report.readAt > notice.since) return null
      return readings.report.isAwaited ? { isUnsure: true } : { withdrawn: 'No row waits for it any more' }
    default:
      return null
  }
}

function personOccasions({ held, braked, changes, revocations, stops }: NoticeReadings, now: Date): Occasion[] {
  const counted = (what: 'held' | 'braked' | 'changes', found: readonly WaitingCount[]) =>
    found.map(({ pipeline, count, since }) => ({
      ...about('person', what, pipeline, since),
      facts: { about: what, count } as const,
    }))
  const { count, since } = revocations
  return [
    ...counted('held', held),
    ...counted('braked', braked),
    ...counted('changes', changes),
    ...(count === 0
      ? []
      : [{ ...about('person', 'revocations', null, since ?? now), facts: { about: 'revocations', count } as const }]),
    ...stops.map(({ since, reason }) => ({
      ...about('person', 'stopped', null, since),
      facts: { about: 'stopped' as const, reason: withoutPeople(reason) },
    })),
  ]
}

function systemOccasions({ system, awaySince, awayBecause, problem, isWatched }: SystemTrouble, now: Date) {
  const unwatched = isWatched ? {} : { withdrawn: removed }
  const away: Occasion = {
    ...about('away', `system ${system}`, null, awaySince ?? now),
    ...(awaySince && now.getTime() - awaySince.getTime() < awayAfterMs && { isUnsure: true }),
    ...unwatched,
    facts: { about: 'system' as const, system, problem: withoutPeople(awayBecause) },
  }
  const wrong: Occasion = {
    ...about('stuck', `system ${system}`, null, now),
    // While it does not answer, nobody knows.
    ...(awaySince && { isUnsure: true }),
    ...unwatched,
    facts: { about: 'settings' as const, subject: system, problem: withoutPeople(problem ?? '') },
  }
  return [...(awaySince === null ? [] : [away]), ...(problem === null ? [] : [wrong])]
}

function behindOccasions(
  { open, report, pauses }: NoticeReadings,
  { behind }: Pick<NotifySettings, 'behind'>,
  now: Date,
): Occasion[] {
  const behindMs = parseDuration(behind) ?? 0
  const rows = open
    .filter(({ since }) => now.getTime() - since.getTime() >= behindMs)
    .map(({ pipeline, count, since }) => ({
      ...about('behind', 'rows', pipeline, since),
      facts: { about: 'open' as const, count, behind },
    }))
  const lateMs = report.overdueS * 1_000
  const late = {
    ...about('behind', 'report', null, new Date(now.getTime() - lateMs)),
    facts: { about: 'report' } as const,
  }
  const paused = pauses.map(({ courseUuid, reason, since, until }) => ({
    ...about('behind', `course ${courseUuid}`, null, since),
    ...((until < now || now.getTime() - since.getTime() < behindAfterMs) && { isUnsure: true }),
    facts: { about: 'paused' as const, reason: withoutPeople(reason) },
  }))
  return [...rows, ...(lateMs < behindAfterMs ? [] : [late]), ...paused]
}

function troubleOf({ subject, pipeline, problem, since, isWatched }: Trouble, now: Date): Occasion {
  const facts: Facts = { about: subject, subject: pipeline, problem: withoutPeople(problem) }
  return { ...about('stuck', subject, pipeline, since ?? now), ...(!isWatched && { withdrawn: removed }), facts }
}

function stalledWorkers({ stalledWorkers: [first, ...others] }: NoticeReadings): Occasion[] {
  if (!first) return []
  const workers = [first, ...others].map(({ worker, host }) => `${worker} on ${host}`)
  return [{ ...about('stuck', 'stalled workers', null, first.since), facts: { about: 'stalled', workers } }]
}

function lateErasures({ erasures }: NoticeReadings, now: Date): Occasion[] {
  return erasures
    .filter(({ requestedAt }) => now.getTime() - requestedAt.getTime() >= lateErasureMs)
    .map(({ id, requestedAt, waitsFor }) => ({
      ...about('erasure', id, null, requestedAt),
      facts: {
        about: 'erasure',
        id,
        day: requestedAt.toISOString().slice(0, 10),
        waitsFor: waitsFor && withoutPeople(waitsFor),
      },
    }))
}
