// Converts the configuration to the numbers that the worker uses, with durations in milliseconds. Also defines the
// intervals that are not settings, with their reasons. Pure.

import { durationMs, type Settings } from '#config/settings.ts'
import type { Cadence } from '#src/issuing/reconcile/look-up-revocation.ts'
import type { Policy } from '#src/issuing/reconcile/policy.ts'
import type { Breaker } from '#src/ledger/attempts/canary.ts'
import type { BackoffCurve } from '#src/platform/backoff.ts'
import { parseSchedule, type Schedule } from '#src/platform/time/schedule.ts'

export interface Tuning {
  cadence: Cadence
  policy: Policy
  baselineAgeMs: number
  deadlineMs: number
  concurrency: number
  canary: boolean
  breaker: Breaker
  pageSize: number
  /** When issued credentials are checked, and the time within which each of them is checked once. */
  watch: { schedule: Pick<Schedule, 'next'>; withinMs: number }
  /**
   * How often the sweep queries the ledger, with a few cheap queries. Work that no job announced is delayed by at most
   * this.
   */
  sweepMs: number
  /** The time after which a job that reports no progress is queued again. */
  lostAfterMs: number
  /**
   * When a certificate that could not be archived is retried (`one`), and when a blocked archive is retried (`all`).
   * Without jitter, because the gate spreads the calls.
   */
  archiveRetry: { one: BackoffCurve; all: BackoffCurve }
  /**
   * How often each of several workers records a heartbeat, and how long after its last heartbeat a worker that has also
   * lost its lock is declared dead.
   */
  aliveMs: { every: number; silent: number }
  /** How long after its last heartbeat a worker that holds a lock all others wait for is considered stalled. */
  stalledAfterMs: number
  /** How often it is decided who must be notified of what. */
  noticeMs: number
  /** How often the watchdog checks the worker's loops. */
  watchMs: number
  /** Calls per second that all workers may make together. */
  perSecond: number
  /**
   * How long a stopping worker waits for its running calls: the deadline of a call plus the time to write its outcome.
   */
  stopMs: number
}

export function tuningOf({ file }: Pick<Settings, 'file'>): Tuning {
  const { reconcile, invitations } = file
  const deadlineMs = durationMs(invitations.deadline)
  return {
    cadence: { everyMs: durationMs(reconcile.every), slowestMs: durationMs(reconcile.slowest) },
    policy: policyOf(file),
    baselineAgeMs: durationMs(reconcile.baselineAge),
    deadlineMs,
    concurrency: invitations.concurrency,
    canary: invitations.canary,
    breaker: breakerOf(durationMs(invitations.pause)),
    pageSize: reconcile.pageSize,
    watch: { schedule: watchSchedule(reconcile.watchAt), withinMs: durationMs(reconcile.watchWithin) },
    sweepMs: 1_000,
    lostAfterMs: 30_000,
    // The service may need some seconds to render a certificate, or an operator may have to fix something.
    archiveRetry: { one: { baseMs: 30_000, capMs: 6 * 3_600_000 }, all: { baseMs: 15_000, capMs: 5 * 60_000 } },
    // Five missed heartbeats together with a lost connection mean that the worker is dead. If it is alive after all,
    // the report decides about its calls.
    aliveMs: { every: 2_000, silent: 10_000 },
    stalledAfterMs: 30_000,
    noticeMs: 15_000,
    watchMs: 15_000,
    perSecond: file.service.limits.general,
    stopMs: deadlineMs + 5_000,
  }
}

/**
 * Short, because a lost connection recovers within seconds. The pauses grow, because each one ends with a call that
 * leaves one recipient with an unknown outcome if the service is still unavailable.
 */
const firstPauseMs = 5_000

function breakerOf(maxMs: number): Breaker {
  return { firstMs: Math.min(firstPauseMs, maxMs), maxMs }
}

/** The schema has already validated the text. */
function watchSchedule(text: string): Schedule {
  return parseSchedule(text, 'UTC') as Schedule
}

function policyOf({ reconcile, invitations }: Settings['file']): Policy {
  return {
    graceMs: { unknown: durationMs(reconcile.grace), refused: durationMs(reconcile.refusedGrace) },
    looks: reconcile.looks,
    looksWithoutControl: reconcile.looksWithoutControl,
    looksWithoutBatch: reconcile.looksWithoutBatch,
    resends: reconcile.resend ? invitations.resends : 0,
  }
}
