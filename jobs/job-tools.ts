// The parts of the core that its jobs may use. Each job names the few parts that it needs; the worker passes all of
// them.

import type { Senders } from '#src/app/open-core.ts'
import type { Tuning } from '#src/app/tuning.ts'
import type { Inboxes } from '#src/files/inbox/open-inboxes.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { RowsOf } from '#src/issuing/intake/rows-of-run.ts'
import type { CourseCache } from '#src/issuing/pipelines/course-cache.ts'
import type { Pipelines } from '#src/issuing/pipelines/pipelines.ts'
import type { Outbox } from '#src/issuing/results/outbox.ts'
import type { OutcomeTargets } from '#src/issuing/results/outcome-targets.ts'
import type { SheetLayoutCache } from '#src/issuing/upload/sheet-layout-cache.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { LedgerMark } from '#src/ledger/mark/open-mark.ts'
import type { Log } from '#src/platform/log/log.ts'
import type { Queues } from '#src/platform/queue/stored-queues.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export interface Tools {
  // What is known, and what was sent.
  ledger: Ledger
  mark: LedgerMark
  // The service, and the course of a pipeline there.
  issuer: Issuer
  courses: CourseCache
  uploads: SheetLayoutCache
  senders: Senders
  // Where rows come from, and where outcomes go.
  pipelines: Pipelines
  inboxes: Inboxes
  rowsOf: RowsOf
  outbox: Outbox
  outcomeTargets: OutcomeTargets
  // This process.
  queues: Queues
  log: Log
  clock: Clock
  /** From 0 to 1, without 1. */
  random: () => number
  tuning: Tuning
  /** The id of this process in the ledger. */
  instance: string
  /** Whether this is the only worker: without Redis, the limits are kept in this process's memory. */
  exclusive: boolean
}
