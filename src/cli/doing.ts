// What commands need done. The doing is in jobs/, which src may not know; jobs/main.ts hands it in.

import type { App } from '#src/app.ts'

export interface RunningWorker extends AsyncDisposable {
  readonly lost: Promise<void>
  stop(): Promise<{ unfinished: number }>
}

/** The parts of a worker's work, by the names that `start --only` takes. */
export const workNames = ['intake', 'issue', 'reconcile', 'write-back', 'archive', 'sweep', 'web'] as const
export type WorkName = (typeof workNames)[number]

export interface Doing {
  /** @param options.inboxes whether files are taken from inboxes as well */
  startWorker(app: App, only?: readonly WorkName[], options?: { inboxes?: boolean }): Promise<RunningWorker | null>
  /** One full reading of the report; null when nothing is open. */
  lookOnce(app: App): Promise<{ complete: boolean } | null>
  /** Carries out what the ledger wants revoked: the named ones, or what is due. @returns the faults, by revocation */
  tendRevocations(app: App, ids: readonly number[] | null): Promise<Map<number, Error>>
  writeResults(app: App, runId: string): Promise<void>
  writeWantedResults(app: App): Promise<void>
}
