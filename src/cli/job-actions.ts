// The interface of the jobs that commands start. They are implemented in jobs/, which src must not import; jobs/main.ts
// passes the implementation in.

import type { App } from '#src/app/app.ts'

export interface RunningWorker extends AsyncDisposable {
  /**
   * Settles when the worker must stop: with an error if a newer version has changed the ledger, and otherwise because
   * another worker that rules this one out may be running.
   */
  readonly lost: Promise<Error | undefined>
  stop(): Promise<{ unfinished: number }>
}

/** The parts of a worker's work, by the names that `start --only` accepts. */
export const workNames = ['intake', 'issue', 'reconcile', 'write-back', 'archive', 'sweep', 'web', 'console'] as const
export type WorkName = (typeof workNames)[number]

export interface JobActions {
  /** @param options.inboxes true for `start`, which also serves inboxes and learning systems */
  startWorker(app: App, only?: readonly WorkName[], options?: { inboxes?: boolean }): Promise<RunningWorker | null>
  /** Scans the report once, completely; null if no row is open. */
  readReportOnce(app: App): Promise<{ complete: boolean } | null>
  /** Checks issued credentials once, unless another process is doing so. */
  watchIssued(app: App): Promise<void>
  /**
   * Carries out the revocations in the ledger: the named ones, or those that are due.
   * @returns the errors by revocation
   */
  processRevocations(app: App, ids: readonly number[] | null): Promise<Map<number, Error>>
  writeResults(app: App, runId: string): Promise<void>
  writeWantedResults(app: App): Promise<void>
  /** Carries out the open erasures as far as they go now, unless another process is doing so. */
  carryOutErasures(app: App): Promise<void>
}
