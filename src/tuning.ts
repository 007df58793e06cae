// The numbers of the configuration in milliseconds, read once. What is not a setting stands here with its reason.

import type { Settings } from '#config/settings.ts'
import { durationMs } from '#config/settings.ts'
import type { Cadence } from '#src/reconcile/cadence.ts'
import type { Policy } from '#src/reconcile/policy.ts'
import type { BackoffCurve } from '#src/retry/backoff.ts'

export interface Tuning {
  cadence: Cadence
  policy: Policy
  baselineAgeMs: number
  deadlineMs: number
  concurrency: number
  canary: boolean
  pauseMs: number
  pageSize: number
  /** How often the sweeper looks into the ledger: a few cheap queries, and the longest that anything waits which no job announced. */
  sweepMs: number
  /** After this long a job that nobody has heard of is asked for again. */
  lostAfterMs: number
  /** When a certificate that could not be archived is tried again, and when an archive where nothing goes on. Without chance: the gate spreads the calls. */
  archiveAgain: { one: BackoffCurve; all: BackoffCurve }
  /** How often a worker among several says that it lives, and after how long a silence one without its lock is taken for dead. */
  aliveMs: { every: number; silent: number }
  /** After how long a silence a worker that holds what all others wait for is taken to stand still. */
  stillMs: number
  /** How often the worker looks whether its loops turn. */
  watchMs: number
  /** Calls a second that all workers may make together. */
  perSecond: number
  /** What a stop waits for calls under way: a call's deadline, and a moment to write its outcome down. */
  stopMs: number
}

export function tuningOf({ file }: Pick<Settings, 'file'>): Tuning {
  const { reconcile, invitations } = file
  const deadlineMs = durationMs(invitations.deadline)
  return {
    cadence: { everyMs: durationMs(reconcile.every), slowestMs: durationMs(reconcile.slowest) },
    policy: policyOf(reconcile),
    baselineAgeMs: durationMs(reconcile.baselineAge),
    deadlineMs,
    concurrency: invitations.concurrency,
    canary: invitations.canary,
    pauseMs: durationMs(invitations.pause),
    pageSize: reconcile.pageSize,
    sweepMs: 1_000,
    lostAfterMs: 30_000,
    // The service may take a moment to draw one, or a person to put it right.
    archiveAgain: { one: { baseMs: 30_000, capMs: 6 * 3_600_000 }, all: { baseMs: 15_000, capMs: 5 * 60_000 } },
    // Five turns are not missed by chance and the connection lost as well; should it happen, the report decides about the calls.
    aliveMs: { every: 2_000, silent: 10_000 },
    stillMs: 30_000,
    watchMs: 15_000,
    perSecond: file.service.limits.general,
    stopMs: deadlineMs + 5_000,
  }
}

function policyOf(reconcile: Settings['file']['reconcile']): Policy {
  return {
    graceMs: { unknown: durationMs(reconcile.grace), refused: durationMs(reconcile.refusedGrace) },
    looks: reconcile.looks,
    looksWithoutControl: reconcile.looksWithoutControl,
    looksWithoutBatch: reconcile.looksWithoutBatch,
    resends: reconcile.resend ? 1 : 0,
  }
}
