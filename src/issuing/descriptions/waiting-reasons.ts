// Describes what a run is waiting for, since when, until when, and what happens next. All of these sentences are in
// this file. Pure.

import { brakeReason, countOf } from '#src/issuing/results/run-summary.ts'
import type { WaitingFacts } from '#src/ledger/waiting-facts.ts'
import type { Obstacle } from '#src/ledger/workers/obstacles.ts'
import { oneLine } from '#src/platform/text.ts'

export interface WaitingReason {
  what: string
  since: Date | null
  /** Null if unknown. */
  until: Date | null
  /** What happens then, or what an operator can do. */
  next: string
}

/** Returns the reasons, the most important first; empty if the run is settled or is making progress. */
export function waitingReasons(facts: WaitingFacts): WaitingReason[] {
  const { run, states, worker, brakedAt } = facts
  if (run.state === 'braked')
    return [
      {
        what: withoutFullStop(brakeReason(run.brake) || 'the run is braked'),
        since: brakedAt,
        until: null,
        next: 'an operator runs `credsync approve` or `credsync reject`',
      },
    ]
  const isOpen = run.state === 'received' || states.pending + states.sending + countInReport(facts) > 0
  if (!isOpen) return []
  return [
    ...stopReasons(facts),
    ...(worker ? [] : [noWorker]),
    ...facts.obstacles.filter((obstacle) => concerns(obstacle, facts)).map(obstacleReason),
    ...fileReasons(facts),
    ...readingReasons(facts),
    ...courseReasons(facts),
    ...rowReasons(facts),
    ...unknownOutcomeReasons(facts),
  ]
}

function countInReport({ states }: WaitingFacts): number {
  return states.unconfirmed + states.requested + states.in_progress
}

const noWorker: WaitingReason = {
  what: 'no worker is running, so nothing is processed',
  since: null,
  until: null,
  next: 'start one with `credsync start`, or run `credsync issue` with the same file again',
}

function stopReasons({ stop }: WaitingFacts): WaitingReason[] {
  if (!stop) return []
  const next = 'an operator runs `credsync adopt` for each pipeline, and then `credsync trust-ledger --reason TEXT`'
  return [{ what: `nothing is sent: ${stop.reason}`, since: stop.since, until: null, next }]
}

/**
 * For each subject under which a worker records an obstacle: which runs it blocks, and how it is described. A new kind
 * of obstacle requires a subject and an entry here.
 */
const entryBySubject: Record<string, { stops: (facts: WaitingFacts) => boolean; lead: string; next: string }> = {
  intake: {
    stops: ({ run }) => run.state === 'received',
    lead: 'the file cannot be accepted',
    next: 'it is retried automatically',
  },
  issue: {
    stops: ({ states }) => states.pending > 0,
    lead: 'nothing can be sent',
    next: 'it is retried automatically',
  },
  reconcile: {
    stops: (facts) => countInReport(facts) > 0,
    lead: 'the report cannot be read',
    next: 'it is retried automatically',
  },
  sweep: { stops: () => true, lead: 'no work can be queued', next: 'it is retried every second' },
}

/** The entry for a paused gate. Gates have the names in src/issuer/routes.ts; reading the report has its own gate. */
const gateEntry = {
  stops: () => true,
  lead: 'the service throttles calls (status 429)',
  next: 'calls continue automatically',
}

function entryOf({ subject }: Obstacle) {
  return subject.startsWith('gate ') ? gateEntry : entryBySubject[subject]
}

function concerns(obstacle: Obstacle, facts: WaitingFacts): boolean {
  return entryOf(obstacle)?.stops(facts) ?? true
}

function obstacleReason(obstacle: Obstacle): WaitingReason {
  const { detail, since, until } = obstacle
  const { lead, next } = entryOf(obstacle) ?? { lead: 'a worker cannot continue', next: 'it is retried automatically' }
  return { what: `${lead}: ${withoutFullStop(detail)}`, since, until, next }
}

function fileReasons({ run, missedAt, waitsSince }: WaitingFacts): WaitingReason[] {
  if (run.state !== 'received') return []
  const next = 'it is retried automatically'
  if (run.waits) return [{ what: withoutFullStop(run.waits), since: waitsSince, until: null, next }]
  if (!missedAt) return []
  const what = 'the worker does not see the file, or does not know the pipeline'
  return [{ what, since: missedAt, until: null, next: 'another worker may take it; after ten minutes it is refused' }]
}

/** One incomplete scan does not count: the report may have changed while it was read. */
const minCutReadings = 2

function readingReasons(facts: WaitingFacts): WaitingReason[] {
  const { cutReadings, cutSince, obstacles, nextReading } = facts
  const isReported = obstacles.some((obstacle) => obstacle.subject === 'reconcile')
  if (isReported || cutReadings < minCutReadings || countInReport(facts) === 0) return []
  const what = `the report was not read completely, ${cutReadings} times in a row`
  return [{ what, since: cutSince, until: nextReading, next: 'it is read again' }]
}

function courseReasons({ pause, canarySince, states }: WaitingFacts): WaitingReason[] {
  if (pause) {
    const { reason, since, until, afterTrouble } = pause
    const next = afterTrouble
      ? 'one recipient is sent alone first, and the others once that call is accepted'
      : 'it is retried automatically'
    return [{ what: `the course is paused: ${withoutFullStop(reason)}`, since, until, next }]
  }
  if (!canarySince || states.pending === 0) return []
  const what = 'one recipient of the course is sent alone first'
  return [{ what, since: canarySince, until: null, next: 'the others follow once that call is accepted' }]
}

function rowReasons({ rows, pause }: WaitingFacts): WaitingReason[] {
  return rows
    .filter((row) => row.reason !== pause?.reason)
    .map(({ reason, count, until }) => ({
      what: `${countOf(count, 'row')}: ${withoutFullStop(reason)}`,
      since: null,
      until,
      next: count === 1 ? 'it is sent automatically' : 'they are sent automatically',
    }))
}

function unknownOutcomeReasons({ states, doubtedSince, nextReading }: WaitingFacts): WaitingReason[] {
  if (states.unconfirmed === 0) return []
  const what = `the outcome of ${countOf(states.unconfirmed, 'row')} is unknown`
  const next = 'the report is read; rows that it proves absent are sent again after `reconcile.grace`'
  return [{ what, since: doubtedSince, until: nextReading, next }]
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/** Formats a reason as part of a line. @param now times on the same day are shown without their date */
export function waitingLine({ what, since, until, next }: WaitingReason, now: Date): string {
  const times = [
    ...(since ? [`since ${formatTime(since, now)}`] : []),
    // A time in the past is left out, because the work is about to continue.
    ...(until && until > now ? [`until ${formatTime(until, now)}`] : []),
  ]
  return oneLine(`${what}${times.length > 0 ? ` (${times.join(', ')})` : ''}; ${next}`)
}

function formatTime(at: Date, now: Date): string {
  const [day = '', time = ''] = at.toISOString().split('T')
  return day === now.toISOString().slice(0, 10) ? `${time.slice(0, 8)} UTC` : `${day} ${time.slice(0, 5)} UTC`
}

/** Formats a reason for `--json`. */
export function waitingDocument({ what, since, until, next }: WaitingReason) {
  return { what, since: since?.toISOString() ?? null, until: until?.toISOString() ?? null, next }
}
